using System.Windows.Controls;

namespace Shop.Views
{
    public partial class DetailView : UserControl { }
}
