import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.MemberReferenceTree;
import com.sun.source.tree.MethodInvocationTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.NewClassTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePath;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.Trees;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javax.lang.model.element.Element;
import javax.lang.model.element.ElementKind;
import javax.tools.Diagnostic;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/**
 * The calls of a project as javac understands them, one JSON line each; see truth_java.py, which runs this.
 *
 * <p>Arguments: the root of the project, a file that lists its sources, a class path.
 */
public final class CallPairs {
    private record Place(String path, long line, String name) {}

    private final Path root;
    private final Trees trees;
    private final SourcePositions positions;
    private final Map<Element, Place> places = new HashMap<>();
    private final PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);

    private CallPairs(Path root, JavacTask task) {
        this.root = root;
        this.trees = Trees.instance(task);
        this.positions = trees.getSourcePositions();
    }

    public static void main(String[] arguments) throws Exception {
        Path root = Path.of(arguments[0]).toRealPath();
        var compiler = ToolProvider.getSystemJavaCompiler();
        Set<JavaFileObject> broken = new HashSet<>();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
            var sources = files.getJavaFileObjectsFromPaths(
                    Files.readAllLines(Path.of(arguments[1])).stream().map(Path::of).toList());
            var options = List.of(
                    "-proc:none", "-nowarn", "-Xmaxerrs", "1000000", "-XDshould-stop.ifError=FLOW", "-cp", arguments[2]);
            var task = (JavacTask) compiler.getTask(null, files, found -> {
                if (found.getKind() == Diagnostic.Kind.ERROR && found.getSource() != null) {
                    broken.add(found.getSource());
                }
            }, options, null, sources);
            List<CompilationUnitTree> units = new ArrayList<>();
            task.parse().forEach(units::add);
            task.analyze();
            var pairs = new CallPairs(root, task);
            units.forEach(pairs::place);
            units.stream().filter(unit -> !broken.contains(unit.getSourceFile())).forEach(pairs::tell);
            pairs.out.flush();
            System.err.println(broken.size() + " of " + units.size() + " files left out: they do not compile");
        }
    }

    private String path(CompilationUnitTree unit) {
        return root.relativize(Path.of(unit.getSourceFile().toUri())).toString().replace('\\', '/');
    }

    private long lastLine(CompilationUnitTree unit, Tree tree) {
        return unit.getLineMap().getLineNumber(positions.getEndPosition(unit, tree) - 1);
    }

    /** Note where each class, method and component of a record is declared: by its last line, which is inside it. */
    private void place(CompilationUnitTree unit) {
        String path = path(unit);
        new TreePathScanner<Void, Void>() {
            @Override
            public Void visitClass(ClassTree tree, Void nothing) {
                note(tree, tree.getSimpleName().toString());
                return super.visitClass(tree, nothing);
            }

            @Override
            public Void visitMethod(MethodTree tree, Void nothing) {
                note(tree, tree.getName().toString());
                return super.visitMethod(tree, nothing);
            }

            @Override
            public Void visitVariable(VariableTree tree, Void nothing) {
                Element element = trees.getElement(getCurrentPath());
                if (element != null && element.getEnclosingElement().getKind() == ElementKind.RECORD) {
                    note(tree, tree.getName().toString());
                }
                return super.visitVariable(tree, nothing);
            }

            private void note(Tree tree, String name) {
                Element element = trees.getElement(getCurrentPath());
                // What the compiler adds, as a constructor where none is written, has no end in the source.
                if (element != null && positions.getEndPosition(unit, tree) > 0) {
                    places.put(element, new Place(path, lastLine(unit, tree), name));
                }
            }
        }.scan(unit, null);
    }

    /** Where what is called is written; null for what is not of the project or stands nowhere. */
    private Place callee(Element element) {
        Element owner = element.getEnclosingElement();
        if (element.getKind() == ElementKind.CONSTRUCTOR) {
            return places.get(owner);
        }
        Place place = places.get(element);
        if (place == null && owner != null && owner.getKind() == ElementKind.RECORD) {
            for (Element member : owner.getEnclosedElements()) {
                if (member.getKind().isField() && member.getSimpleName().equals(element.getSimpleName())) {
                    return places.get(member);
                }
            }
        }
        return place;
    }

    private void tell(CompilationUnitTree unit) {
        String path = path(unit);
        new TreePathScanner<Void, Void>() {
            /** The methods around, a class where the code is its own; lambdas belong to what is around them. */
            private final Deque<Place> callers = new ArrayDeque<>();

            @Override
            public Void visitClass(ClassTree tree, Void nothing) {
                String name = tree.getSimpleName().toString();
                callers.push(new Place(path, 0, name.isEmpty() ? "<anonymous>" : name));
                super.visitClass(tree, nothing);
                callers.pop();
                return null;
            }

            @Override
            public Void visitMethod(MethodTree tree, Void nothing) {
                if (positions.getEndPosition(unit, tree) <= 0) {
                    return null;
                }
                boolean isConstructor = tree.getName().contentEquals("<init>");
                String name = isConstructor ? callers.peek().name() : tree.getName().toString();
                callers.push(new Place(path, lastLine(unit, tree), name));
                super.visitMethod(tree, nothing);
                callers.pop();
                return null;
            }

            @Override
            public Void visitMethodInvocation(MethodInvocationTree tree, Void nothing) {
                // The call of `super()` that the compiler adds has no end in the source.
                if (positions.getEndPosition(unit, tree) > 0) {
                    Tree select = tree.getMethodSelect();
                    note(trees.getElement(new TreePath(getCurrentPath(), select)), select, "call");
                }
                return super.visitMethodInvocation(tree, nothing);
            }

            @Override
            public Void visitNewClass(NewClassTree tree, Void nothing) {
                // The class that stands behind `new T() {…}` has no name: T is what is made.
                Tree made = tree.getIdentifier();
                Element element = tree.getClassBody() == null
                        ? trees.getElement(getCurrentPath())
                        : trees.getElement(new TreePath(getCurrentPath(), made));
                note(element, made, "call");
                return super.visitNewClass(tree, nothing);
            }

            @Override
            public Void visitMemberReference(MemberReferenceTree tree, Void nothing) {
                note(trees.getElement(getCurrentPath()), tree, "reference");
                return super.visitMemberReference(tree, nothing);
            }

            private void note(Element element, Tree tree, String kind) {
                Place callee = element == null ? null : callee(element);
                if (callee == null || callers.isEmpty()) {
                    return;
                }
                long line = lastLine(unit, tree);
                Place caller = callers.peek();
                out.printf(
                        "{\"caller\": [\"%s\", %d], \"caller_name\": \"%s\", \"callee\": [\"%s\", %d], "
                                + "\"name\": \"%s\", \"line\": %d, \"kind\": \"%s\"}%n",
                        path, caller.line() == 0 ? line : caller.line(), caller.name(),
                        callee.path(), callee.line(), callee.name(), line, kind);
            }
        }.scan(unit, null);
    }
}
