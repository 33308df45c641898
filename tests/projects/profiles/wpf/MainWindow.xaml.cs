using System.Windows;

namespace Shop.Views
{
    public partial class MainWindow : Window
    {
        private void OnLoaded(object sender, RoutedEventArgs e) { }
    }
}
