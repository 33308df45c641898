using System;
using System.Collections.Generic;
using System.IO;
using System.Linq;
using System.Text;
using System.Text.Json;
using Microsoft.CodeAnalysis;
using Microsoft.CodeAnalysis.CSharp;
using Microsoft.CodeAnalysis.CSharp.Syntax;
using Microsoft.CodeAnalysis.Text;

/// <summary>The calls of a project as Roslyn understands them, one JSON line each; see truth_csharp.py, which runs this.</summary>
/// <remarks>Arguments: the root of the project, a file that lists its sources, folders of assemblies, preprocessor symbols.</remarks>
public static class CallPairs
{
    private const string ImplicitUsings =
        "global using System; global using System.Collections.Generic; global using System.IO; global using System.Linq;"
        + "global using System.Net.Http; global using System.Threading; global using System.Threading.Tasks;";

    private static readonly TextWriter Out =
        new StreamWriter(Console.OpenStandardOutput(), new UTF8Encoding(false));

    private static string root;

    public static void Main(string[] arguments)
    {
        root = Path.GetFullPath(arguments[0]);
        var symbols = arguments[3].Split(';', StringSplitOptions.RemoveEmptyEntries);
        var options = new CSharpParseOptions(LanguageVersion.Preview, preprocessorSymbols: symbols);
        var trees = File.ReadAllLines(arguments[1])
            .Select(path => CSharpSyntaxTree.ParseText(SourceText.From(File.ReadAllText(path)), options, path))
            .ToList();
        var usings = CSharpSyntaxTree.ParseText(ImplicitUsings, options, "");
        var compilation = CSharpCompilation.Create(
            "judged",
            trees.Append(usings),
            Assemblies(arguments[2]),
            new CSharpCompilationOptions(
                OutputKind.DynamicallyLinkedLibrary,
                allowUnsafe: true,
                metadataImportOptions: MetadataImportOptions.Public));
        int unknown = 0, known = 0;
        foreach (var tree in trees)
        {
            var walk = new CallWalk(compilation.GetSemanticModel(tree));
            walk.Visit(tree.GetRoot());
            walk.TellDisabled();
            (unknown, known) = (unknown + walk.Unknown, known + walk.Known);
        }
        Out.Flush();
        Console.Error.WriteLine($"{trees.Count} files, {known} calls bound, {unknown} not");
    }

    private static IEnumerable<MetadataReference> Assemblies(string folders) =>
        folders.Split(':', StringSplitOptions.RemoveEmptyEntries)
            .SelectMany(folder => Directory.GetFiles(folder, "*.dll"))
            .GroupBy(Path.GetFileName)
            .Select(same => MetadataReference.CreateFromFile(same.First()));

    private static int LineOf(SyntaxTree tree, int position) =>
        tree.GetText().Lines.GetLinePosition(position).Line + 1;

    private sealed class CallWalk : CSharpSyntaxWalker
    {
        private readonly SemanticModel model;
        private readonly string path;

        public CallWalk(SemanticModel model)
        {
            this.model = model;
            path = Relative(model.SyntaxTree);
        }

        public int Unknown { get; private set; }

        public int Known { get; private set; }

        public override void VisitInvocationExpression(InvocationExpressionSyntax node)
        {
            var isNameof = node.Expression is IdentifierNameSyntax { Identifier: { ValueText: "nameof" } };
            if (!isNameof)
            {
                Tell(node, NameOf(node.Expression), model.GetSymbolInfo(node));
            }

            base.VisitInvocationExpression(node);
        }

        public override void VisitObjectCreationExpression(ObjectCreationExpressionSyntax node)
        {
            Tell(node, node.Type, model.GetSymbolInfo(node));
            base.VisitObjectCreationExpression(node);
        }

        public override void VisitImplicitObjectCreationExpression(ImplicitObjectCreationExpressionSyntax node)
        {
            Tell(node, node, model.GetSymbolInfo(node));
            base.VisitImplicitObjectCreationExpression(node);
        }

        public override void VisitConstructorInitializer(ConstructorInitializerSyntax node)
        {
            Tell(node, node, model.GetSymbolInfo(node));
            base.VisitConstructorInitializer(node);
        }

        public override void VisitPrimaryConstructorBaseType(PrimaryConstructorBaseTypeSyntax node)
        {
            Tell(node, node, model.GetSymbolInfo(node));
            base.VisitPrimaryConstructorBaseType(node);
        }

        public override void VisitIdentifierName(IdentifierNameSyntax node) => TellReference(node);

        public override void VisitGenericName(GenericNameSyntax node)
        {
            TellReference(node);
            base.VisitGenericName(node);
        }

        public override void VisitElementAccessExpression(ElementAccessExpressionSyntax node)
        {
            TellReference(node);
            base.VisitElementAccessExpression(node);
        }

        public override void VisitBinaryExpression(BinaryExpressionSyntax node)
        {
            TellReference(node);
            base.VisitBinaryExpression(node);
        }

        /// <summary>Say of each line that the preprocessor leaves out that nothing is known of it.</summary>
        public void TellDisabled()
        {
            var tree = model.SyntaxTree;
            foreach (var trivia in tree.GetRoot().DescendantTrivia(descendIntoTrivia: true))
            {
                if (trivia.IsKind(SyntaxKind.DisabledTextTrivia))
                {
                    var last = LineOf(tree, trivia.Span.End);
                    for (var line = LineOf(tree, trivia.SpanStart); line <= last; line++)
                    {
                        Write(new { caller = new object[] { path, line }, callee = (object)null, line });
                    }
                }
            }
        }

        private static SyntaxNode NameOf(ExpressionSyntax called) => called switch
        {
            MemberAccessExpressionSyntax member => member.Name,
            MemberBindingExpressionSyntax binding => binding.Name,
            _ => called,
        };

        private void Tell(SyntaxNode node, SyntaxNode place, SymbolInfo info)
        {
            var line = LineOf(node.SyntaxTree, place.SpanStart);
            if (!(info.Symbol is IMethodSymbol method) || method.MethodKind == MethodKind.DelegateInvoke)
            {
                Unknown += info.Symbol is null ? 1 : 0;
                Write(new { caller = new object[] { path, line }, callee = (object)null, line });
                return;
            }

            Known++;
            TellPair(node, Declared(method), line, isCall: true);
        }

        private void TellReference(SyntaxNode node)
        {
            var isTold = model.GetSymbolInfo(node).Symbol is { } symbol
                && (symbol is IPropertySymbol || symbol is IMethodSymbol);
            if (isTold)
            {
                var named = Declared(model.GetSymbolInfo(node).Symbol);
                TellPair(node, named, LineOf(node.SyntaxTree, node.SpanStart), isCall: false);
            }
        }

        private void TellPair(SyntaxNode node, ISymbol callee, int line, bool isCall)
        {
            var target = callee;
            if (callee is IMethodSymbol { IsImplicitlyDeclared: true, MethodKind: MethodKind.Constructor })
            {
                target = callee.ContainingType;
            }

            var parts = target.DeclaringSyntaxReferences;
            var caller = CallerOf(node);
            foreach (var part in parts.Where(part => part.SyntaxTree.FilePath.Length > 0))
            {
                // Of the parts of a class without a constructor any one may be held to be what is made.
                Write(new
                {
                    caller = new object[] { path, caller.Line },
                    caller_name = caller.Name,
                    callee = new object[] { Relative(part.SyntaxTree), NameLine(part.GetSyntax()) },
                    name = target is IMethodSymbol { MethodKind: MethodKind.Constructor }
                        ? target.ContainingType.Name
                        : target.Name.Split('.').Last(),
                    line,
                    kind = isCall && parts.Length == 1 ? "call" : "reference",
                });
            }
        }

        private static ISymbol Declared(ISymbol symbol)
        {
            var written = symbol.OriginalDefinition;
            if (written is IMethodSymbol method)
            {
                method = (method.ReducedFrom ?? method).OriginalDefinition;
                return method.PartialImplementationPart ?? method;
            }

            return written;
        }

        private static (int Line, string Name) CallerOf(SyntaxNode node)
        {
            // What a property begins with is set as its object is made, as that of a field is.
            var begun = node.FirstAncestorOrSelf<EqualsValueClauseSyntax>(one => one.Parent is PropertyDeclarationSyntax);
            var around = (begun?.Parent ?? node).Ancestors().FirstOrDefault(one =>
                one is BaseMethodDeclarationSyntax || one is LocalFunctionStatementSyntax
                || one is BasePropertyDeclarationSyntax || one is BaseTypeDeclarationSyntax
                || one is CompilationUnitSyntax);
            return (NameLine(around), CallerName(around));
        }

        private static string CallerName(SyntaxNode node)
        {
            var name = Identifier(node)?.ValueText;
            return node is DestructorDeclarationSyntax ? "~" + name : name;
        }

        private static SyntaxToken? Identifier(SyntaxNode node) => node switch
        {
            MethodDeclarationSyntax one => one.Identifier,
            ConstructorDeclarationSyntax one => one.Identifier,
            DestructorDeclarationSyntax one => one.Identifier,
            LocalFunctionStatementSyntax one => one.Identifier,
            PropertyDeclarationSyntax one => one.Identifier,
            EventDeclarationSyntax one => one.Identifier,
            BaseTypeDeclarationSyntax one => one.Identifier,
            _ => null,
        };

        private static int NameLine(SyntaxNode node)
        {
            var start = Identifier(node)?.SpanStart ?? node switch
            {
                OperatorDeclarationSyntax one => one.OperatorToken.SpanStart,
                ConversionOperatorDeclarationSyntax one => one.Type.SpanStart,
                IndexerDeclarationSyntax one => one.ThisKeyword.SpanStart,
                _ => node.SpanStart,
            };
            return LineOf(node.SyntaxTree, start);
        }

        private static string Relative(SyntaxTree tree) =>
            Path.GetRelativePath(root, tree.FilePath).Replace('\\', '/');

        private static void Write(object line) => Out.WriteLine(JsonSerializer.Serialize(line));
    }
}
