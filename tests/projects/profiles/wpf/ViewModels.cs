using System.Collections.ObjectModel;
using System.ComponentModel;
using System.Threading.Tasks;
using System.Windows.Input;

namespace Shop.ViewModels
{
    public class Line { public string Title { get; set; } }

    public class MainViewModel : INotifyPropertyChanged
    {
        public event PropertyChangedEventHandler PropertyChanged;
        private string _filter;

        public string Filter
        {
            get { return _filter; }
            set { _filter = value; Raise(nameof(Filter)); }
        }

        public string Total { get; set; }
        public ObservableCollection<Line> Lines { get; } = new ObservableCollection<Line>();
        public ICommand BuyCommand { get; }
        public MainViewModel() { BuyCommand = new RelayCommand(Buy); }

        private void Buy() { }

        private void Raise(string name) => PropertyChanged?.Invoke(this, new PropertyChangedEventArgs(name));
    }

    public class DetailViewModel
    {
        public string Name { get; set; }

        public async void Load()
        {
            await Task.Delay(1);
            var text = ReadAsync().Result;
            System.Threading.Thread.Sleep(1);
            try { Name = text; } catch (System.Exception ex) { throw ex; }
        }

        private async Task<string> ReadAsync() => await Task.FromResult("");
    }

    public class RelayCommand : ICommand
    {
        public RelayCommand(System.Action run) { }
    }
}
