// The command line without its commands: help, unknown words, and how errors are said.
import { build } from 'esbuild';
import { describe, expect, it } from 'vitest';
import { CommandError, EXIT, toCommand } from '../../../src/cli/command';
import { COMMANDS } from '../../../src/cli/commands';
import { runCommandLine } from '../../../src/cli/run-command-line';
import { fakeTerminal } from '../../support/cli/fake-terminal';

const failing = toCommand({
  name: 'fail',
  help: () => ({
    summary: 'fails',
    operands: '',
    about: 'Fails.',
    examples: [['provider-playground fail', 'fails']],
  }),
  options: { with: { type: 'string', value: 'text', says: () => 'the reason' } },
  run: ({ values }) =>
    Promise.reject(new CommandError(`It failed: ${values.with ?? ''}.`, 'Try it.', 'Why not.')),
});

async function run(...words: string[]) {
  const terminal = fakeTerminal();
  return { code: await runCommandLine(words, terminal, [failing]), ...terminal.written };
}

describe('runCommandLine', () => {
  it('shows the help of each command with an example, as data', async () => {
    expect(COMMANDS.length).toBeGreaterThan(0);
    for (const { name, help } of COMMANDS) {
      const terminal = fakeTerminal();
      expect(await runCommandLine([name, '--help'], terminal)).toBe(EXIT.done);
      expect(terminal.written.talk).toBe('');
      for (const [line] of help().examples) expect(terminal.written.output).toContain(line);
    }
  });

  it('loads for help what describes the commands, and nothing that runs one', async () => {
    const { metafile } = await build({
      entryPoints: ['src/cli/run-command-line.ts'],
      bundle: true,
      splitting: true,
      format: 'esm',
      platform: 'node',
      write: false,
      outdir: 'unused',
      metafile: true,
    });
    const loaded = new Set<string>();
    const load = (file: string): void => {
      const output = metafile.outputs[file];
      if (!output || loaded.has(file)) return;
      loaded.add(file);
      for (const { path, kind } of output.imports) if (kind === 'import-statement') load(path);
    };
    const entry = Object.entries(metafile.outputs).find(
      ([, output]) => output.entryPoint === 'src/cli/run-command-line.ts',
    );
    load(entry?.[0] ?? '');
    const inputs = [...loaded].flatMap((file) => Object.keys(metafile.outputs[file]?.inputs ?? {}));
    expect(inputs).toContain('src/cli/evaluate/options.ts');
    expect(inputs.filter((file) => !/^src\/cli\/|\/@vscode\/l10n\//.test(file))).toEqual([]);
  });

  it.each([48, 80])('fits help into a terminal of %i columns', async (columns) => {
    for (const words of [['--help'], ...COMMANDS.map(({ name }) => [name, '--help'])]) {
      const terminal = fakeTerminal({ columns });
      await runCommandLine(words, terminal);
      // A command is copied, so it stays on its line.
      const lines = terminal.written.output
        .split('\n')
        .filter((line) => !/provider-playground \S/.test(line));
      expect(lines.filter((line) => line.length > columns)).toEqual([]);
    }
  });

  it('lists the commands, as an error when none is named', async () => {
    expect(await run('--help')).toMatchObject({ code: 0, output: expect.stringContaining('fail  fails') });
    expect(await run()).toMatchObject({ code: 2, output: '', talk: expect.stringContaining('fail  fails') });
  });

  it('says of an error what, why and what next, without a stack', async () => {
    expect(await run('fail', '--with', 'it')).toEqual({
      code: 2,
      output: '',
      talk: 'Error: It failed: it.\n  Why not.\n  → Try it.\n',
    });
  });

  it('names an option or a command that does not exist', async () => {
    expect((await run('fail', '--wiht=x')).talk).toBe(
      'Error: There is no option --wiht.\n  → Did you mean --with?\n',
    );
    expect((await run('fail', '--zzz')).talk).toBe(
      'Error: There is no option --zzz.\n  → Its options: provider-playground fail --help\n',
    );
    expect(await run('fial')).toMatchObject({
      code: 2,
      talk: 'Error: There is no command fial.\n  → Did you mean fail?\n',
    });
    expect((await run('zzz')).talk).toContain('→ Run provider-playground --help.');
  });

  it('shows the help of a command after `help`, too', async () => {
    expect(await run('help', 'fail')).toEqual(await run('fail', '--help'));
    expect(await run('help')).toEqual(await run('--help'));
    expect(await run('help', 'fial')).toMatchObject({ code: 2, talk: expect.stringContaining('fail?') });
  });

  it('takes a number below 0 as a value, and says which option has none', async () => {
    expect((await run('fail', '--with', '-1.5')).talk).toContain('It failed: -1.5.');
    expect((await run('fail', '--with', '--no-color')).talk).toBe(
      'Error: --with needs a value.\n  → Write it as --with=text, also a value that begins with a hyphen.\n',
    );
    expect((await run('fail', '--with')).talk).toContain('--with needs a value.');
    expect((await run('fail', '--help=x')).talk).toContain('--help takes no value.');
  });

  it('refuses what a command would not read', async () => {
    expect(await run('fail', 'text')).toMatchObject({
      code: 2,
      talk: expect.stringContaining('fail does not read text.'),
    });
  });

  it('says what to do after an error that nobody foresaw', async () => {
    const terminal = fakeTerminal();
    const broken = toCommand({ ...failing, run: () => Promise.reject(new TypeError('x is no function')) });
    expect(await runCommandLine(['fail'], terminal, [broken])).toBe(EXIT.unusable);
    expect(terminal.written.talk).toBe(
      'Error: x is no function\n  → Report it, with the command line, if it happens again.\n',
    );
  });
});
