// Writes the shipped types: everything reachable from the public API, in a single file. The compiler emits one
// file per source and has no API for bundling them.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { posix } from 'node:path';

/** Parses a declaration file of the compiler: a list of statements that begin at the left margin. */
function readDeclarations(module) {
  const [path] = [module, `${module}/index`]
    .map((name) => `.tsbuild/${name.split('/')[1]}/${name}.d.ts`)
    .filter((file) => existsSync(file));
  const file = {
    module,
    isIndex: path.endsWith('/index.d.ts'),
    own: new Map(),
    from: new Map(),
    all: [],
    values: [],
  };
  const at = (to) => posix.join(file.isIndex ? module : posix.dirname(module), to).replace(/\/$/, '');
  let comment = '';
  let last = '';
  for (const text of readFileSync(path, 'utf8').split(/^(?=[a-z]|\/\*\*)/m)) {
    const [, name] =
      /^(?:export )?(?:declare )?(?:abstract )?(?:class|interface|type|const|function) (\w+)/.exec(text) ??
      [];
    const [, words, names, to] = /^((?:im|ex)port.*?)\{([^}]*)\} from '([^']+)'/s.exec(text) ?? [];
    const [, namespace, whole] = /^(?:im|ex)port type \*(?: as (\w+))? from '([^']+)'/.exec(text) ?? [];
    // A member of a union that has a comment of its own continues the declaration before it.
    if (/^\/\*\*.*?\*\/\s*[|']/s.test(text)) file.own.set(last, file.own.get(last) + text);
    else if (text.startsWith('/**')) comment = text;
    else if (name) {
      last = name;
      const before = file.own.get(name) ?? '';
      file.own.set(
        name,
        before +
          comment +
          text.replace(/^export /, '').replaceAll(/import\("([^"]+)"\)\.(\w+)/g, (_, from, what) => {
            file.from.set(what, at(from));
            return what;
          }),
      );
    } else if (names) {
      if (/ as /.test(names)) throw new Error(`${path}: a renamed import is not understood: ${names}`);
      const list = names
        .split(',')
        .map((one) => one.trim())
        .filter(Boolean);
      for (const one of list) file.from.set(one, to.startsWith('.') ? at(to) : to);
      if (words.trim() === 'export') file.values.push(...list);
    } else if (namespace) file.from.set(namespace, at(whole));
    else if (whole) file.all.push(at(whole));
    else if (text.trim() && !text.startsWith('export {};'))
      throw new Error(`${path}: not understood: ${text}`);
    if (!text.startsWith('/**')) comment = '';
  }
  return file;
}

/** The types that third-party code sees, in one file: everything reachable from the public API, and nothing else. */
function flattenDeclarations(entry, library) {
  const files = new Map();
  const open = (module) => files.get(module) ?? files.set(module, readDeclarations(module)).get(module);
  const found = new Map();
  const outside = new Map();
  const find = (module, name) => {
    if (!module.startsWith('src/')) return outside.set(name, module);
    const file = open(module);
    if (file.own.has(name)) return take(file, name);
    if (file.from.has(name)) return find(file.from.get(name), name);
    for (const other of file.all) if (namesOf(other).includes(name)) find(other, name);
  };
  const take = (file, name) => {
    const text = file.own.get(name);
    if (found.has(name)) {
      if (found.get(name).module !== file.module) throw new Error(`two declarations are called ${name}`);
      return;
    }
    found.set(name, { module: file.module, text });
    const words = text.replaceAll(/\/\*\*.*?\*\/|'[^']*'/gs, '').match(/[A-Za-z_]\w*/g);
    for (const word of new Set(words)) {
      if (word !== name && (file.own.has(word) || (file.from.has(word) && word !== 'library')))
        find(file.module, word);
    }
  };
  const namesOf = (module) => {
    const { own, from, all } = open(module);
    return [...own.keys(), ...from.keys(), ...all.flatMap(namesOf)];
  };
  const face = namesOf(library);
  for (const name of open(entry).own.keys()) find(entry, name);
  for (const name of face) find(library, name);
  const values = open(library).values.map((name) => `    readonly ${name}: typeof ${name};\n`);
  const whole = [...found.values()]
    .map(({ text }) =>
      text.replace('type Library = typeof library;', `interface Library {\n${values.join('')}}`),
    )
    .join('');
  const imports = [...outside].map(([name, from]) => `import type { ${name} } from '${from}';\n`);
  const names = [...new Set([...open(entry).own.keys(), ...face])].toSorted((a, b) => (a < b ? -1 : 1));
  const head =
    '// The types of Provider Playground, for modules of custom providers and for other extensions. Types alone: the\n// library itself is handed to the function of a module, and `library()` of the extension returns it.\n';
  return `${head}${imports.join('')}${whole}export type { ${names.join(', ')} };\n`;
}

export function writeDeclarations() {
  // Not a type check: `npm run typecheck` reports errors elsewhere.
  spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-b', 'src/connections']);
  writeFileSync(
    'dist/provider-playground.d.ts',
    flattenDeclarations('src/connections/custom-providers/api', 'src/library'),
  );
}
