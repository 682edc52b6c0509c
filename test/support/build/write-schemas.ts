// Writes the packaged JSON schemas: node test/support/run-typescript.mjs test/support/build/write-schemas.ts
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { SCHEMA_FILES } from './document-schema';

for (const [file, toSchema] of Object.entries(SCHEMA_FILES))
  writeFileSync(file, JSON.stringify(toSchema(), null, 2));
const prettier = ['node_modules/prettier/bin/prettier.cjs', '--write', ...Object.keys(SCHEMA_FILES)];
process.exitCode = spawnSync(process.execPath, prettier, { stdio: 'inherit' }).status ?? 1;
