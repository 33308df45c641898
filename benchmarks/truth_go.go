// Command truth_go writes the calls of a Go project, as go/types understands them, as JSON lines.
//
//	go run truth_go.go [-may] PROJECT
//
// See truth_go.py, which runs it.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"go/ast"
	"go/build"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
)

var moduleLine = regexp.MustCompile(`(?m)^\s*module\s+"?([^\s"]+)`)

// A folder's files that belong to the build, by what they are compiled with.
type folder struct {
	own, tests, outerTests []*ast.File
}

type project struct {
	root     string
	files    *token.FileSet
	folders  map[string]*folder // by import path
	checked  map[string]*types.Package
	tested   map[string]*types.Package // with the tests of the package itself
	pending  map[string]bool
	standard types.Importer
	info     *types.Info
	named    []*types.Named
	promises map[token.Pos][]*types.Named // interfaces by where they are declared
	shapes   map[token.Pos]bool           // types that are written as a struct or an interface
	written  map[token.Pos][]ast.Expr     // what variables and fields are given, by where they are declared
	may      bool
	out      *json.Encoder
}

func main() {
	may := flag.Bool("may", false, "add what may run: implementers of interfaces, functions held in variables")
	flag.Parse()
	root, err := filepath.Abs(flag.Arg(0))
	if err != nil {
		panic(err)
	}
	files := token.NewFileSet()
	p := &project{
		root: root, files: files, folders: map[string]*folder{}, checked: map[string]*types.Package{},
		tested: map[string]*types.Package{}, pending: map[string]bool{}, may: *may,
		standard: importer.ForCompiler(files, "source", nil), out: json.NewEncoder(os.Stdout),
		written: map[token.Pos][]ast.Expr{}, promises: map[token.Pos][]*types.Named{}, shapes: map[token.Pos]bool{},
		info: &types.Info{
			Uses: map[*ast.Ident]types.Object{}, Defs: map[*ast.Ident]types.Object{},
			Selections: map[*ast.SelectorExpr]*types.Selection{}, Types: map[ast.Expr]types.TypeAndValue{},
		},
	}
	p.read()
	p.check()
	p.write()
}

// read parses the files that a build for this machine would use.
func (p *project) read() {
	modules := map[string]string{}
	_ = filepath.WalkDir(p.root, func(at string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name := entry.Name()
		if entry.IsDir() {
			if at != p.root && (strings.HasPrefix(name, ".") || strings.HasPrefix(name, "_") || name == "testdata" || name == "vendor") {
				return filepath.SkipDir
			}
			if text, err := os.ReadFile(filepath.Join(at, "go.mod")); err == nil {
				if found := moduleLine.FindSubmatch(text); found != nil {
					modules[at] = string(found[1])
				}
			}
			return nil
		}
		if matches, err := build.Default.MatchFile(filepath.Dir(at), name); err != nil || !matches || !strings.HasSuffix(name, ".go") {
			return nil
		}
		// What cannot be parsed in full still has calls.
		parsed, _ := parser.ParseFile(p.files, at, nil, parser.SkipObjectResolution)
		if parsed == nil {
			return nil
		}
		within := p.folder(importPath(modules, filepath.Dir(at)))
		switch {
		case !strings.HasSuffix(name, "_test.go"):
			within.own = append(within.own, parsed)
		case strings.HasSuffix(parsed.Name.Name, "_test"):
			within.outerTests = append(within.outerTests, parsed)
		default:
			within.tests = append(within.tests, parsed)
		}
		return nil
	})
}

func (p *project) folder(imported string) *folder {
	if p.folders[imported] == nil {
		p.folders[imported] = &folder{}
	}
	return p.folders[imported]
}

func importPath(modules map[string]string, at string) string {
	for above := at; ; above = filepath.Dir(above) {
		if module, is := modules[above]; is {
			inner, _ := filepath.Rel(above, at)
			return path.Join(module, filepath.ToSlash(inner))
		}
		if above == filepath.Dir(above) {
			return at
		}
	}
}

// Import gives a package of the project, or of the standard library; of others nothing is known.
func (p *project) Import(imported string) (*types.Package, error) {
	if found := p.checked[imported]; found != nil {
		return found, nil
	}
	within := p.folders[imported]
	if within == nil {
		if strings.Contains(strings.SplitN(imported, "/", 2)[0], ".") {
			return nil, fmt.Errorf("%s is not of the project", imported)
		}
		return p.standard.Import(imported)
	}
	if p.pending[imported] {
		return nil, fmt.Errorf("%s imports itself", imported)
	}
	p.pending[imported] = true
	p.checked[imported] = p.checkFiles(imported, within.own, p)
	return p.checked[imported], nil
}

func (p *project) checkFiles(imported string, files []*ast.File, from types.Importer) *types.Package {
	// Errors are expected: what comes from packages that are not at hand has no type.
	config := types.Config{Importer: from, Error: func(error) {}, FakeImportC: true}
	files = oneName(files)
	checked, _ := config.Check(imported, p.files, files, p.info)
	// A package is checked twice, without and with its tests: its types are two, their places are one.
	for _, file := range files {
		ast.Inspect(file, p.noteType)
	}
	return checked
}

func (p *project) noteType(node ast.Node) bool {
	spec, is := node.(*ast.TypeSpec)
	if !is {
		return true
	}
	switch spec.Type.(type) {
	case *ast.StructType, *ast.InterfaceType:
		p.shapes[spec.Name.Pos()] = true
	}
	name, is := p.info.Defs[spec.Name].(*types.TypeName)
	if !is {
		return true
	}
	if named, is := name.Type().(*types.Named); is && types.IsInterface(named) {
		p.promises[name.Pos()] = append(p.promises[name.Pos()], named)
	} else if is {
		p.named = append(p.named, named)
	}
	return true
}

// oneName leaves out files of another package in the folder, as scripts behind `go:build ignore` have.
func oneName(files []*ast.File) []*ast.File {
	var kept []*ast.File
	for _, file := range files {
		if file.Name.Name == files[0].Name.Name {
			kept = append(kept, file)
		}
	}
	return kept
}

// outside is what tests of another package see: the package with its own tests.
type outside struct {
	*project
	under string
}

func (o outside) Import(imported string) (*types.Package, error) {
	if found := o.tested[imported]; imported == o.under && found != nil {
		return found, nil
	}
	return o.project.Import(imported)
}

func (p *project) check() {
	for _, imported := range p.sorted() {
		_, _ = p.Import(imported)
	}
	for _, imported := range p.sorted() {
		within := p.folders[imported]
		if len(within.tests) > 0 {
			p.tested[imported] = p.checkFiles(imported, append(append([]*ast.File{}, within.own...), within.tests...), p)
		}
		if len(within.outerTests) > 0 {
			p.checkFiles(imported+"_test", within.outerTests, outside{p, imported})
		}
	}
}

func (p *project) sorted() []string {
	var paths []string
	for imported := range p.folders {
		paths = append(paths, imported)
	}
	sort.Strings(paths)
	return paths
}

func (p *project) write() {
	for _, imported := range p.sorted() {
		within := p.folders[imported]
		all := append(append(append([]*ast.File{}, within.own...), within.tests...), within.outerTests...)
		for _, file := range all {
			ast.Inspect(file, p.noteWritten)
		}
	}
	for _, imported := range p.sorted() {
		within := p.folders[imported]
		all := append(append(append([]*ast.File{}, within.own...), within.tests...), within.outerTests...)
		for _, file := range all {
			p.writeFile(file)
		}
	}
}

// noteWritten keeps the values that are given to variables, fields and parameters.
func (p *project) noteWritten(node ast.Node) bool {
	switch node := node.(type) {
	case *ast.AssignStmt:
		if len(node.Lhs) == len(node.Rhs) {
			for i, left := range node.Lhs {
				p.give(p.object(left), node.Rhs[i])
			}
		}
	case *ast.ValueSpec:
		if len(node.Names) == len(node.Values) {
			for i, name := range node.Names {
				p.give(p.info.Defs[name], node.Values[i])
			}
		}
	case *ast.KeyValueExpr:
		if key, is := node.Key.(*ast.Ident); is {
			p.give(p.info.Uses[key], node.Value)
		}
	case *ast.CallExpr:
		called, is := p.object(node.Fun).(*types.Func)
		if !is {
			break
		}
		parameters := called.Origin().Type().(*types.Signature).Params()
		for i, argument := range node.Args {
			if i < parameters.Len() {
				p.give(parameters.At(i), argument)
			}
		}
	}
	return true
}

func (p *project) give(to types.Object, value ast.Expr) {
	if _, is := to.(*types.Var); is {
		p.written[to.Pos()] = append(p.written[to.Pos()], value)
	}
}

// object gives what an expression names: a function, a variable, a field.
func (p *project) object(expression ast.Expr) types.Object {
	switch e := ast.Unparen(expression).(type) {
	case *ast.Ident:
		if defined := p.info.Defs[e]; defined != nil {
			return defined
		}
		return p.info.Uses[e]
	case *ast.SelectorExpr:
		if selection := p.info.Selections[e]; selection != nil {
			return selection.Obj()
		}
		return p.info.Uses[e.Sel]
	case *ast.IndexExpr:
		if found, is := p.object(e.X).(*types.Func); is {
			return found
		}
	case *ast.IndexListExpr:
		return p.object(e.X)
	}
	return nil
}

func (p *project) writeFile(file *ast.File) {
	var around []ast.Node // every node from the file down to the one at hand
	ast.Inspect(file, func(node ast.Node) bool {
		if node == nil {
			around = around[:len(around)-1]
			return true
		}
		switch node := node.(type) {
		case *ast.CallExpr:
			p.writeCall(node, p.callerLine(around))
		case *ast.CompositeLit:
			p.writeMade(node, p.callerLine(around))
		}
		around = append(around, node)
		return true
	})
}

// callerLine gives a line of the innermost function that no function inside it shares.
func (p *project) callerLine(around []ast.Node) int {
	for i := len(around) - 1; i >= 0; i-- {
		switch function := around[i].(type) {
		case *ast.FuncDecl:
			return p.ownLine(function, function.Body)
		case *ast.FuncLit:
			return p.ownLine(function, function.Body)
		}
	}
	return 1 // the file itself
}

func (p *project) ownLine(function ast.Node, body ast.Node) int {
	first, last := p.line(function.Pos()), p.line(function.End())
	taken := map[int]bool{}
	ast.Inspect(body, func(node ast.Node) bool {
		if literal, is := node.(*ast.FuncLit); is {
			for line := p.line(literal.Pos()); line <= p.line(literal.End()); line++ {
				taken[line] = true
			}
			return false
		}
		return true
	})
	for line := first; line <= last; line++ {
		if !taken[line] {
			return line
		}
	}
	return first
}

func (p *project) line(at token.Pos) int { return p.files.Position(at).Line }

func (p *project) writeCall(call *ast.CallExpr, callerLine int) {
	if converted, is := p.info.Types[call.Fun]; is && converted.IsType() {
		p.writeMade(call, callerLine)
		return
	}
	callLine := p.line(call.Pos())
	if selector, is := ast.Unparen(call.Fun).(*ast.SelectorExpr); is {
		callLine = p.line(selector.Sel.Pos())
	}
	from := place{p.relative(call.Pos()), callerLine}
	p.writeTargets(from, callLine, call.Fun, map[token.Pos]bool{})
}

// writeMade writes that a struct is made by a literal, or a value converted to a struct or an interface.
func (p *project) writeMade(value ast.Expr, callerLine int) {
	made := p.info.Types[value].Type
	if pointer, is := made.(*types.Pointer); is {
		made = pointer.Elem()
	}
	named, is := types.Unalias(made).(*types.Named)
	if !is {
		return
	}
	if object := named.Origin().Obj(); p.shapes[object.Pos()] {
		p.pair(place{p.relative(value.Pos()), callerLine}, p.line(value.Pos()), object.Pos(), object.Name())
	}
}

type place struct {
	file string
	line int
}

func (p *project) writeTargets(from place, callLine int, called ast.Expr, seen map[token.Pos]bool) {
	if literal, is := ast.Unparen(called).(*ast.FuncLit); is {
		p.pair(from, callLine, literal.Pos(), "")
		return
	}
	switch object := p.object(called).(type) {
	case *types.Func:
		object = object.Origin()
		p.pair(from, callLine, object.Pos(), object.Name())
		if p.may {
			p.writeImplementers(from, callLine, object)
		}
	case *types.Var:
		if seen[object.Pos()] {
			return
		}
		seen[object.Pos()] = true
		// A variable of the function itself that only ever holds one function is as good as its name.
		if given := p.written[object.Pos()]; p.may || len(given) == 1 && !object.IsField() && isLiteral(given[0]) {
			for _, value := range given {
				p.writeTargets(from, callLine, value, seen)
			}
		}
	}
}

func isLiteral(value ast.Expr) bool {
	_, is := ast.Unparen(value).(*ast.FuncLit)
	return is
}

func (p *project) writeImplementers(from place, callLine int, method *types.Func) {
	receiver := method.Type().(*types.Signature).Recv()
	if receiver == nil {
		return
	}
	promised, is := receiver.Type().Underlying().(*types.Interface)
	if !is {
		return
	}
	var versions []*types.Named
	if named, is := types.Unalias(receiver.Type()).(*types.Named); is {
		versions = p.promises[named.Origin().Obj().Pos()]
	}
	for _, named := range p.named {
		fits := len(versions) == 0 && named.TypeParams().Len() == 0 && types.Implements(types.NewPointer(named), promised)
		if !fits && !implementsAny(named, versions) {
			continue
		}
		object, _, _ := types.LookupFieldOrMethod(named, true, method.Pkg(), method.Name())
		if found, is := object.(*types.Func); is {
			p.pair(from, callLine, found.Origin().Pos(), found.Name())
		}
	}
}

func implementsAny(named *types.Named, promises []*types.Named) bool {
	for _, promised := range promises {
		if named.TypeParams().Len() > 0 || promised.TypeParams().Len() > 0 {
			// For some type arguments or other: by the names alone.
			if hasNames(named, promised) {
				return true
			}
		} else if types.Implements(types.NewPointer(named), promised.Underlying().(*types.Interface)) {
			return true
		}
	}
	return false
}

func hasNames(named, promised *types.Named) bool {
	methods := promised.Underlying().(*types.Interface)
	for i := 0; i < methods.NumMethods(); i++ {
		object, _, _ := types.LookupFieldOrMethod(named, true, methods.Method(i).Pkg(), methods.Method(i).Name())
		if _, is := object.(*types.Func); !is {
			return false
		}
	}
	return methods.NumMethods() > 0
}

func (p *project) pair(from place, callLine int, to token.Pos, name string) {
	file := p.relative(to)
	if file == "" || from.file == "" {
		return
	}
	entry := map[string]any{
		"caller": []any{from.file, from.line}, "callee": []any{file, p.line(to)}, "line": callLine,
	}
	if name != "" {
		entry["name"] = name
	}
	if err := p.out.Encode(entry); err != nil {
		panic(err)
	}
}

// relative gives the path inside the project, or nothing.
func (p *project) relative(at token.Pos) string {
	inner, err := filepath.Rel(p.root, p.files.PositionFor(at, false).Filename)
	if err != nil || strings.HasPrefix(inner, "..") {
		return ""
	}
	return filepath.ToSlash(inner)
}
