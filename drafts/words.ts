/**
 * Renames words in a checkout: `cd <tree> && node /work/tools/words.ts [--dry]`. Run it on a tree that is committed and set up
 * (`node scripts/set-up.mjs`), then set up again. Four steps: symbols (language service), identifiers by folder, text, files.
 * A rule that finds nothing says so and does no harm, so it can be run again, and on a tree that has changed meanwhile.
 */
import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, readFileSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, posix } from 'node:path';
import { CODE_ONLY, files as moves, identifiers, packages, symbols, text } from './words-rules.ts';

const root = process.cwd();
const ts = createRequire(join(root, 'package.json'))('typescript') as typeof import('typescript');
const listed = execFileSync('git', ['ls-files'], { encoding: 'utf8', maxBuffer: 1e8 }).trim().split('\n').filter((f) => existsSync(f) && lstatSync(f).isFile());
const isText = (f: string) => !/\.(png|jpe?g|gif|webp|ico|woff2?|ttf|otf|pdf|zip|gz)$/.test(f);
const isCode = (f: string) => /\.(ts|mjs)$/.test(f);
const content = new Map<string, string>();
const read = (f: string) => content.get(f) ?? (content.set(f, readFileSync(f, 'utf8')), content.get(f)!);
const counts = new Map<string, number>();
const count = (what: string, n = 1) => counts.set(what, (counts.get(what) ?? 0) + n);
const warn: string[] = [];
type Node = import('typescript').Node;

// ── 1 symbols ──
function* walk(node: Node): Generator<Node> {
  yield node;
  const kids: Node[] = [];
  ts.forEachChild(node, (kid) => void kids.push(kid));
  for (const kid of kids) yield* walk(kid);
}
function symbolStep() {
  const own = listed.filter((f) => f.endsWith('.ts') && /^(gateway|services|packages|deploy|tests|tools|scripts)\//.test(f));
  const options = ts.parseJsonConfigFileContent(JSON.parse(readFileSync('tsconfig.json', 'utf8')), ts.sys, root).options;
  const host: import('typescript').LanguageServiceHost = {
    getCompilationSettings: () => options,
    getScriptFileNames: () => own.map((f) => join(root, f)),
    getScriptVersion: () => '1',
    getScriptSnapshot: (f) => (ts.sys.fileExists(f) ? ts.ScriptSnapshot.fromString(ts.sys.readFile(f)!) : undefined),
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
    fileExists: ts.sys.fileExists, readFile: ts.sys.readFile, readDirectory: ts.sys.readDirectory,
    directoryExists: ts.sys.directoryExists, getDirectories: ts.sys.getDirectories, realpath: ts.sys.realpath,
  };
  const service = ts.createLanguageService(host);
  const program = service.getProgram()!;
  const edits = new Map<string, Map<number, [number, string]>>();
  for (const { name, to, in: where, member, anywhere } of symbols) {
    let found = 0;
    for (const f of own.filter((f) => where.test(f) && new RegExp(`\\b${name}\\b`).test(read(f)))) {
      const source = program.getSourceFile(join(root, f));
      if (!source) continue;
      for (const node of walk(source)) {
        const named = (node as { name?: Node }).name;
        if (!named || !ts.isIdentifier(named) || named.text !== name) continue;
        const isTop = ts.isFunctionDeclaration(node) || ts.isInterfaceDeclaration(node) || ts.isTypeAliasDeclaration(node) || ts.isClassDeclaration(node) || ts.isVariableDeclaration(node);
        const isMember = ts.isPropertySignature(node) || ts.isPropertyAssignment(node) || ts.isPropertyDeclaration(node) || ts.isMethodSignature(node) || ts.isMethodDeclaration(node);
        if (member ? !isMember : !isTop) continue;
        if (!member && !anywhere) {
          const holder = ts.isVariableDeclaration(node) ? node.parent.parent.parent : node.parent;
          if (!ts.isSourceFile(holder)) continue;
        }
        found += 1;
        const at = service.findRenameLocations(source.fileName, named.getStart(source), false, false, { providePrefixAndSuffixTextForRename: false }) ?? [];
        for (const { fileName, textSpan: { start, length } } of at) {
          const file = fileName.slice(root.length + 1);
          if (!listed.includes(file)) { warn.push(`symbol ${name}: reaches ${file}`); continue; }
          const old = read(file).slice(start, start + length);
          if (old !== name) continue;
          let put = to;
          // A value in a shorthand property keeps the property's name.
          if (!member) {
            const target = program.getSourceFile(fileName)!;
            let inner: Node = target;
            for (;;) {
              let next: Node | undefined;
              ts.forEachChild(inner, (kid) => { if (!next && kid.getStart(target) <= start && kid.end >= start + length) next = kid; });
              if (!next) break;
              inner = next;
            }
            if (ts.isShorthandPropertyAssignment(inner.parent) && inner.parent.name === inner) put = `${name}: ${to}`;
          }
          const mine = edits.get(file) ?? new Map();
          edits.set(file, mine.set(start, [length, put]));
          count(`${name} → ${to}`);
        }
      }
    }
    if (!found) warn.push(`symbol ${name}: not found in ${where}`);
  }
  for (const [file, spans] of edits) {
    let out = read(file);
    for (const [start, [length, put]] of [...spans].toSorted(([a], [b]) => b - a)) out = out.slice(0, start) + put + out.slice(start + length);
    content.set(file, out);
  }
}

// ── 2 identifiers ──
function identifierStep() {
  for (const f of listed.filter(isCode)) {
    const rules = identifiers.filter(({ in: where, not }) => where.test(f) && !not?.test(f));
    if (!rules.length) continue;
    const source = ts.createSourceFile(f, read(f), ts.ScriptTarget.Latest, true, f.endsWith('.ts') ? ts.ScriptKind.TS : ts.ScriptKind.JS);
    const names = new Set<string>();
    const spans: [number, number, string][] = [];
    const nodes = [...walk(source)].filter((node) => ts.isIdentifier(node) || ts.isPrivateIdentifier(node)) as import('typescript').Identifier[];
    for (const node of nodes) names.add(node.text);
    const clashes = new Set<string>();
    for (const node of nodes) {
      const isPrivate = node.text.startsWith('#');
      const plain = isPrivate ? node.text.slice(1) : node.text;
      for (const { name, to } of rules) {
        const put = typeof name === 'string' ? (plain === name ? to : plain) : plain.replace(name, to);
        if (put === plain) continue;
        if (names.has(put)) clashes.add(`${f}: ${plain} → ${put} is there already`);
        spans.push([node.getStart(source), node.text.length, (isPrivate ? '#' : '') + put]);
        count(typeof name === 'string' ? `${name} → ${to}` : `${plain} → ${put}`);
        break;
      }
    }
    warn.push(...clashes);
    let out = read(f);
    for (const [start, length, put] of spans.toSorted(([a], [b]) => b - a)) out = out.slice(0, start) + put + out.slice(start + length);
    // In comments and messages, a word between backquotes is the identifier.
    for (const { name, to } of rules) if (typeof name === 'string') out = out.replace(new RegExp(`(?<=(?:\\*|//|'|").*)\`${name}\``, 'g'), `\`${to}\``);
    content.set(f, out);
  }
}

// ── 3 text ──
function textStep() {
  for (const f of listed.filter(isText)) {
    let out = read(f);
    for (const { from: rule, to, in: where, not, unless } of text) {
      if (unless?.test(read(f))) continue;
      const from = new RegExp(rule.source, 'g');
      if (where && !where.test(f)) continue;
      if (not?.test(f)) continue;
      out = out.replace(from, (...all) => {
        const groups = all.slice(1, all.findIndex((one) => typeof one === 'number'));
        count(`${from.source} → ${to}`);
        return to.replace(/\$(\d)/g, (_, n) => groups[n - 1] ?? '');
      });
    }
    if (out !== read(f)) content.set(f, out);
  }
}

// ── 4 files ──
function fileStep(): Map<string, string> {
  const moved = new Map<string, string>();
  for (const f of listed) {
    let to = f;
    for (const [from, put] of moves) to = to.replace(from, put);
    if (to !== f) moved.set(f, to);
  }
  const targets = new Set(listed.filter((f) => !moved.has(f)));
  for (const [from, to] of moved) {
    if (targets.has(to)) throw new Error(`${from} → ${to} exists`);
    targets.add(to);
  }
  const all = new Set(listed);
  for (const f of listed.filter((f) => isCode(f) || f.endsWith('.json') || f.endsWith('.sql') )) {
    if (f === 'package-lock.json') continue;
    const home = moved.get(f) ?? f;
    const out = read(f).replace(/(['"])(\.\.?\/[^'"\n]*)\1/g, (whole, quote, path: string) => {
      const target = posix.normalize(posix.join(posix.dirname(f), path));
      const aim = all.has(target) ? (moved.get(target) ?? target) : /^packages\//.test(target) || target.includes('/') ? folderOf(target, moved, f, home) : undefined;
      if (!aim) return whole;
      if (aim === target && home === f) return whole;
      if (!all.has(target) && aim === target) return whole;
      let put = posix.relative(posix.dirname(home), aim);
      if (!put.startsWith('.')) put = `./${put}`;
      if (path.endsWith('/') && !put.endsWith('/')) put += '/';
      return put === path ? whole : `${quote}${put}${quote}`;
    });
    if (out !== read(f)) content.set(f, out);
  }
  // Paths from the root, spelt in any file.
  const plain = [...moved].toSorted(([a], [b]) => b.length - a.length);
  for (const f of listed.filter(isText)) {
    if (/^(CHANGELOG\.md|docs\/)/.test(f)) continue;
    let out = read(f);
    for (const [from, to] of plain) if (out.includes(from)) out = out.replaceAll(from, to);
    content.set(f, out);
  }
  return moved;
}
/** A folder that moved as a whole. */
function folderOf(target: string, moved: Map<string, string>, _f: string, _home: string): string | undefined {
  const bare = target.replace(/\/$/, '');
  const inside = [...moved].find(([from]) => from.startsWith(`${bare}/`));
  if (!inside) return undefined;
  const rest = inside[0].slice(bare.length);
  return inside[1].endsWith(rest) ? inside[1].slice(0, -rest.length) : undefined;
}

const dry = process.argv.includes('--dry');
if (!process.argv.includes('--no-symbols')) symbolStep();
identifierStep();
textStep();
const moved = fileStep();
console.log([...counts].toSorted(([, a], [, b]) => b - a).map(([what, n]) => `${String(n).padStart(5)}  ${what}`).join('\n'));
console.log(`${moved.size} files move`);
for (const [from, to] of moved) if (!packages.some(([old]) => from.startsWith(`packages/${old}/`) && to.endsWith(from.split('/').slice(2).join('/')))) console.log(`       ${from} → ${to}`);
console.log(`\nLook at:\n${[...new Set(warn)].join('\n')}`);
if (!dry) {
  for (const [f, out] of content) if (out !== readFileSync(f, 'utf8')) writeFileSync(f, out);
  for (const [from, to] of moved) {
    mkdirSync(dirname(to), { recursive: true });
    renameSync(from, to);
  }
  for (const [old, name] of packages) {
    // What is generated and what is installed go along; the links of the workspace are those of `npm install`.
    const [from, to] = [join('packages', old), join('packages', name)];
    if (existsSync(from)) {
      for (const rest of execFileSync('find', [from, '-type', 'f'], { encoding: 'utf8' }).trim().split('\n').filter(Boolean)) {
        const aim = to + rest.slice(from.length);
        mkdirSync(dirname(aim), { recursive: true });
        if (!existsSync(aim)) renameSync(rest, aim);
      }
      rmSync(from, { recursive: true, force: true });
    }
    const link = join('node_modules/@suite', name);
    if (existsSync('node_modules/@suite')) {
      rmSync(join('node_modules/@suite', old), { force: true });
      if (existsSync(to)) { rmSync(link, { force: true }); symlinkSync(`../../packages/${name}`, link); }
    }
  }
  void CODE_ONLY;
}
