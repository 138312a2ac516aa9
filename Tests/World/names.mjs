// Tells which names modules use that are not there: node names.mjs FILE…

import { execFileSync } from 'node:child_process';
import { realpathSync } from 'node:fs';
import { createRequire } from 'node:module';

// TypeScript looks up where each name is declared. It infers no types, which would take it five times as long.
const compiler = realpathSync(execFileSync('which', ['tsc'], { encoding: 'utf8' }).trim());
const ts = createRequire(compiler)('../lib/typescript.js');
const files = process.argv.slice(2);
const program = ts.createProgram(files, {
  allowJs: true, noResolve: true, noEmit: true, target: ts.ScriptTarget.ESNext, module: ts.ModuleKind.ESNext,
  lib: ['lib.esnext.d.ts', 'lib.dom.d.ts', 'lib.dom.iterable.d.ts'],
});
const checker = program.getTypeChecker();

/** True if an identifier stands for something that is declared elsewhere. */
function isUse(node) {
  const { parent } = node;
  return ts.isShorthandPropertyAssignment(parent)
    || (parent.name !== node && parent.propertyName !== node && parent.label !== node);
}

function look(file, node) {
  if (ts.isIdentifier(node) && isUse(node)
    && !checker.resolveName(node.text, node, ts.SymbolFlags.Value | ts.SymbolFlags.Alias, false)) {
    const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
    console.log(`${file.fileName}:${line + 1}: ${node.text}`);
  }
  ts.forEachChild(node, (child) => look(file, child));
}

for (const name of files) {
  const file = program.getSourceFile(name);
  look(file, file);
}
