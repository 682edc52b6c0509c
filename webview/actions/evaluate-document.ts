// Changes what an evaluation is made of in the document: repeats, rows, expectations. Each is one undo step.
import { t } from '@vscode/l10n';
import type { PlaygroundDocument } from '../../src/protocol';
import { DOCUMENT_LIMIT } from '../../src/protocol';
import { focusSoon } from '../focus/focus';
import type { Playground } from '../playground';
import type { SessionState } from '../state/session-state';
import { setPlace } from './evaluate';

/** Once is the default, which the document leaves out. */
export const setRepeat = (playground: Playground, repeat: number): Promise<boolean> =>
  playground.edit([{ path: ['evaluate', 'repeat'], ...(repeat !== 1 && { value: repeat }) }]);

/** Why no row can be added here. */
export function rowsProblem({ document }: SessionState): string | undefined {
  const rows = document?.document.evaluate.rows;
  if (typeof rows === 'string') return t('The rows are in {0}: add a line there.', rows);
  return rows && rows.length >= DOCUMENT_LIMIT.rows ? t('At most {0} rows', DOCUMENT_LIMIT.rows) : undefined;
}

/** Adds a row with every variable that the document names. */
export async function addRow(playground: Playground): Promise<void> {
  const { document } = playground.state.session.document ?? {};
  if (!document) return;
  const { rows = [] } = document.evaluate;
  if (typeof rows === 'string') return;
  const names = variableNames(playground, document);
  const row = {
    $name: t('row {0}', rows.length + 1),
    ...Object.fromEntries(names.map((name) => [name, ''])),
  };
  const path = rows.length === 0 ? ['evaluate', 'rows'] : ['evaluate', 'rows', rows.length];
  const isAdded = await playground.edit([{ path, value: rows.length === 0 ? [row] : row }]);
  if (isAdded) await playground.send('document/open-text', { path: ['evaluate', 'rows', rows.length] });
}

function variableNames(playground: Playground, { system, messages }: PlaygroundDocument): string[] {
  const { draft = '' } = playground.state.session.document ?? {};
  const known = playground.state.session.evaluation?.variables ?? [];
  const texts = [system, draft, ...messages.map(({ content }) => content)].join('\n').slice(0, 100_000);
  const named = [...texts.matchAll(/(?<!\\)\{\{\s*(\w+)\s*\}\}/g)].map(([, name = '']) => name);
  return [...new Set([...known, ...named])].slice(0, 100);
}

/** Adds an expectation that any call of the first tool meets, and opens it. */
export async function addExpectation(playground: Playground, index: number): Promise<void> {
  const [tool] = playground.state.session.document?.tools ?? [];
  const expected = tool ? { calls: [{ tool: tool.name }] } : { text: { $contains: '' } };
  const value = { name: t('expectation {0}', index + 1), ...expected };
  const path = index === 0 ? ['expect'] : ['expect', index];
  if (!(await playground.edit([{ path, value: index === 0 ? [value] : value }]))) return;
  editExpectation(playground, index);
}

export function editExpectation(playground: Playground, index: number): void {
  setPlace(playground, { expectation: index });
  focusSoon(() => document.querySelector('.expect-form vscode-text-field'));
}

export function askForRowsFile(playground: Playground): void {
  const { rows } = playground.state.session.document?.document.evaluate ?? {};
  setPlace(playground, {
    question: { kind: 'rows-file', path: typeof rows === 'string' ? rows : './rows.csv' },
  });
}
