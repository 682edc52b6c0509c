// Stand-in for `vscode` while a bundle is loaded: as many members as the real one has, each a class that does
// nothing.
const { readFileSync } = require('node:fs');

const types = readFileSync(require.resolve('@types/vscode/index.d.ts'), 'utf8');
for (const [, name] of types.matchAll(/^\texport (?:abstract class|class|enum|namespace|const) (\w+)/gm)) {
  module.exports[name] = class {
    dispose() {}
  };
}
