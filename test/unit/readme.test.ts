// The papers for people: their code compiles, what they name exists, their links lead somewhere.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { DEMO_MODELS } from '../../src/demo';
import { DocumentLaneSchema, DocumentSchema, MockSchema } from '../../src/protocol/document/document';
import { parseDocument, parseToolLibrary } from '../../src/session';
import { toPackageNames } from '../support/texts/package-names';
import { filesUnder } from '../support/texts/source-files';

const README = 'README.md';
/** Pages that ship in the extension beside the README. */
const GUIDE = filesUnder('media/docs', '.md');
const PAPERS = [README, 'CONTRIBUTING.md', 'CHANGELOG.md', 'src/library/README.md', ...GUIDE];
const read = (path: string): string => readFileSync(path, 'utf8');
const matches = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, found = '']) => found);
const codeIn = (path: string, languages: string): string[] =>
  matches(read(path), new RegExp(`\`\`\`(?:${languages})\\n([\\s\\S]*?)\`\`\``, 'g'));

/** Anchors of the headings, as GitHub and VS Code make them. */
const anchorsOf = (path: string): string[] =>
  matches(read(path), /^#+ (.+)$/gm).map((heading) =>
    heading
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

interface Link {
  from: string;
  /** From the root of the repository. */
  path: string;
  anchor: string;
}

const links: Link[] = PAPERS.flatMap((from) =>
  matches(read(from), /\]\(([^)\s]+)\)/g)
    .filter((target) => !/^[a-z]+:/.test(target))
    .map((target) => {
      const [file = '', anchor = ''] = target.split('#');
      return { from, path: file === '' ? from : relative('.', join(dirname(from), file)), anchor };
    }),
);

describe('the papers', () => {
  test('contain exactly the examples that the compiler checks', () => {
    const shown = PAPERS.flatMap((paper) => codeIn(paper, 'js|ts'));
    const checked = readdirSync('test/examples').map((name) => toPackageNames(read(`test/examples/${name}`)));
    expect(new Set(shown)).toEqual(new Set(checked));
    expect(shown).toHaveLength(checked.length);
  });

  test('name only existing files', () => {
    const paths = PAPERS.flatMap((paper) =>
      matches(read(paper), /`((?:src|test|webview|media)\/[\w./-]+\.\w+)`/g),
    );
    expect(paths.length).toBeGreaterThan(2);
    expect(paths.filter((path) => !existsSync(path))).toEqual([]);
  });

  test('link only to existing files and headings', () => {
    const isBroken = ({ path, anchor }: Link): boolean =>
      !existsSync(path) ||
      (anchor !== '' && (statSync(path).isDirectory() || !anchorsOf(path).includes(anchor)));
    expect(links.length).toBeGreaterThan(PAPERS.length);
    expect(links.filter(isBroken)).toEqual([]);
  });

  test('link from the guide only to what ships with it', () => {
    const fromGuide = links.filter(({ from }) => GUIDE.includes(from)).map(({ path }) => path);
    expect(fromGuide.filter((path) => !path.startsWith('media/docs/'))).toEqual([]);
  });
});

describe('the README', () => {
  test('is short, and links to every other paper', () => {
    expect(read(README).split('\n').length).toBeLessThanOrEqual(200);
    const linked = links.filter(({ from }) => from === README).map(({ path }) => path);
    expect(PAPERS.filter((paper) => paper !== README && !linked.includes(paper))).toEqual([]);
  });

  test('names every demo model and the test command', () => {
    expect(DEMO_MODELS.filter((model) => !read(README).includes(`\`${model}\``))).toEqual([]);
    expect(read(README)).toContain('`npm test`');
  });
});

test('CONTRIBUTING.md has a row for every layer', () => {
  const layers = readdirSync('src', { withFileTypes: true }).filter((entry) => entry.isDirectory());
  expect(layers.length).toBeGreaterThan(5);
  const rows = read('CONTRIBUTING.md');
  expect(layers.filter(({ name }) => !rows.includes(`\n| \`src/${name}\` `))).toEqual([]);
});

describe('the guide', () => {
  const unnamed = (paper: string, keys: readonly string[]): string[] =>
    keys.filter((key) => !read(paper).includes(`\`${key}\``));

  test('names every field of a connection, and only such fields in its examples', () => {
    const { contributes } = JSON.parse(read('package.json')) as {
      contributes: {
        configuration: {
          properties: Record<string, { additionalProperties?: { properties: object } }>;
        };
      };
    };
    const setting = contributes.configuration.properties['providerPlayground.connections'];
    const fields = Object.keys(setting?.additionalProperties?.properties ?? {});
    expect(fields.length).toBeGreaterThan(5);
    expect(unnamed('media/docs/connections.md', fields)).toEqual([]);
    const shown = [README, 'media/docs/connections.md'].flatMap((paper) => codeIn(paper, 'json'));
    expect(shown.length).toBeGreaterThan(1);
    for (const text of shown) {
      const settings = JSON.parse(text) as Record<string, Record<string, object>>;
      const used = Object.values(settings['providerPlayground.connections'] ?? {}).flatMap(Object.keys);
      expect(used.length).toBeGreaterThan(0);
      expect(fields).toEqual(expect.arrayContaining(used));
    }
  });

  test('names every key of a playground file, of a lane and of a mock', () => {
    const [mock] = MockSchema.pipe;
    const { $schema: _, ...document } = DocumentSchema.entries;
    const keys = [document, DocumentLaneSchema.entries, mock.entries].flatMap(Object.keys);
    expect(unnamed('media/docs/files.md', keys)).toEqual([]);
  });

  test('shows a playground and a library of tools that are read without a problem', () => {
    const [playground = '', library = '', ...others] = codeIn('media/docs/files.md', 'json');
    expect(parseDocument(playground)).toMatchObject({ warnings: [] });
    expect([...parseToolLibrary(library).tools.keys()]).toEqual(['get_weather']);
    expect(parseToolLibrary(library)).not.toHaveProperty('error');
    expect(parseToolLibrary(library)).not.toHaveProperty('warning');
    expect(others).toEqual([]);
  });
});
