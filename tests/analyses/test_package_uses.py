"""How the packages of a project are seen to use each other, by what code names and by what it calls."""

from drift.analyses.workspaces.relations import survey_packages
from drift.index import IndexReader
from drift.project import StateDir
from drift.scan import ScanOptions, scan


def project(*references):
    listed = "".join(f'<ProjectReference Include="..\\{one}\\{one}.csproj" />' for one in references)
    return f'<Project Sdk="Microsoft.NET.Sdk"><ItemGroup>{listed}</ItemGroup></Project>'


FILES = {
    "Defaults/Defaults.csproj": project(),
    "Defaults/Extensions.cs": "namespace Microsoft.Extensions.Hosting;\npublic static class Extensions { public static void AddDefaults(this IBuilder b) {} }\n",
    "Plain/Plain.csproj": project(),
    "Plain/Extensions.cs": "namespace Acme.Plain;\npublic static class Extensions { public static void AddPlain(this IBuilder b) {} }\n",
    "Shop.Web/Shop.Web.csproj": project("Defaults", "Plain"),
    "Shop.Web/Program.cs": "using Microsoft.Extensions.Hosting;\nclass Main { void Run(IBuilder b) { b.AddDefaults(); } }\n",
    "Host/Host.csproj": project("Shop.Web", "Plain"),
    "Host/Program.cs": "class Main { void Run(IBuilder b) { b.AddProject<Projects.Shop_Web>(); } }\n",
}


def test_extension_methods_and_names_that_a_build_writes_are_uses_of_a_project(tmp_path):
    for path, text in FILES.items():
        (tmp_path / path).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / path).write_text(text)
    scan(tmp_path, ScanOptions(jobs=0))
    with IndexReader(StateDir(tmp_path).index_db) as reader:
        landscape = survey_packages(reader, tmp_path)

    found = {
        (landscape.label(one.source), landscape.label(one.target)): one.standing for one in landscape.links
    }
    assert found == {
        ("Shop.Web", "Defaults"): "used",
        ("Shop.Web", "Plain"): "unused",
        ("Host", "Shop.Web"): "used",
        ("Host", "Plain"): "unused",
    }
