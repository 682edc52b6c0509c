// Reads what a command line asks for as the one run that it means, or says what keeps it from being sent.
import { t } from '@vscode/l10n';
import { resolve } from 'node:path';
import { toLabel } from '../../inspect';
import type { DocumentLane } from '../../protocol';
import type { Asked } from '../../session';
import { parseDocument, SYSTEM_CLOCK } from '../../session';
import { CommandError } from '../command';
import type { CommandConnections } from '../connections/open-connections';
import { checkKeys, openBatches, refuseNone } from '../evaluate/open-batches';
import { readText } from '../files/near-files';
import { describeReadError } from '../files/read-errors';
import { readTools } from '../files/read-tools';
import type { Terminal } from '../terminal';
import type { RunValues } from './options';
import { readLane } from './read-options';

export interface WantedRun {
  /** The playground; '' without one. */
  path: string;
  asked: Asked;
  /** Whether its calls are answered by mocks. */
  isAgent: boolean;
}

/** @param operands The message, if there is one. @throws CommandError */
export async function readRun(
  values: RunValues,
  operands: readonly string[],
  terminal: Terminal,
  connections: CommandConnections,
): Promise<WantedRun> {
  const changeLane = readLane(values);
  const question = await readQuestion(values, operands, terminal);
  const file = await readPlayground(values, terminal.folder);
  // A playground that cannot be read is refused below, with the line.
  const { document } = parseDocument(file.text);
  const chosen = document && pickOne(document.lanes, values.lane, 'lane');
  if (chosen) checkLane(changeLane(chosen), connections);
  const batches = await openBatches({
    files: [file],
    folder: terminal.folder,
    views: () => connections.views,
    clock: SYSTEM_CLOCK,
    choice: { question, changeLane, lanes: chosen ? [chosen.id] : [], repeat: 1 },
  });
  checkKeys(batches, connections);
  const [batch] = batches;
  const [lane] = batch?.lanes ?? [];
  if (!batch || !lane) return refuseNone(batches);
  const asked = batch.setting.askedOf(pickOne(batch.rows, values.row, 'row'), lane, 1);
  checkToolChoice(asked);
  const isAgent = asked.tools.some(({ mocks }) => mocks.length > 0);
  const asking = asked.tools.find(({ mocks }) => mocks.some(({ ask, invoke }) => ask ?? invoke));
  if (asking)
    throw new CommandError(
      t('A mock of {0} asks a person or runs a tool of the editor.', toLabel(asking.name)),
      t('Give it a `result` or an `error`.'),
      t('Nothing was sent.'),
    );
  return { path: file.path, asked, isAgent };
}

/** @returns undefined for the question of the playground. @throws CommandError */
async function readQuestion(
  { playground }: RunValues,
  [message, more]: readonly string[],
  terminal: Terminal,
): Promise<string | undefined> {
  if (more !== undefined)
    throw new CommandError(t('There are several messages.'), t('Put the message in quotation marks.'));
  if (message === undefined && playground !== undefined) return undefined;
  const text = message === undefined || message === '-' ? await terminal.readInput() : message;
  if (text.trim() !== '') return text;
  throw new CommandError(
    t('There is no message to send.'),
    t('Give one: {0}', 'provider-playground run "What is a tool call?"'),
  );
}

/** @throws CommandError */
async function readPlayground(
  { playground: path, tools, system, lane, row }: RunValues,
  folder: string,
): Promise<{ path: string; text: string }> {
  if (path === undefined) {
    if ((lane ?? row) !== undefined)
      throw new CommandError(t('--lane and --row belong to a playground.'), t('Name one with --playground.'));
    const offered = tools === undefined ? [] : await readTools(folder, tools);
    return { path: '', text: JSON.stringify({ system, tools: offered }) };
  }
  if ((tools ?? system) !== undefined)
    throw new CommandError(
      t('A playground has its own tools and system prompt.'),
      t('Leave --tools and --system out, or --playground.'),
    );
  try {
    return { path, text: await readText(resolve(folder, path)) };
  } catch (error) {
    throw new CommandError(describeReadError(path, error), t('Correct --playground.'));
  }
}

/** What is said in words of the command line, before the playground is read as a whole. @throws CommandError */
function checkLane(lane: DocumentLane, { view }: CommandConnections): void {
  const { label, model, problem } = view(lane.connection);
  if (problem !== undefined)
    throw new CommandError(problem, t('Correct it, and try again.'), t('Nothing was sent.'));
  if (lane.model || model) return;
  throw new CommandError(
    t('{0} names no model.', toLabel(label)),
    t('Choose one with --model; {0} lists them.', `provider-playground models ${lane.connection}`),
  );
}

/** @throws CommandError */
function checkToolChoice({ lane: { toolChoice }, tools }: Asked): void {
  if (typeof toolChoice !== 'object' || tools.some(({ name }) => name === toolChoice.tool)) return;
  const names = tools.slice(0, MAX_NAMES).map(({ name }) => toLabel(name, 40));
  throw new CommandError(
    t('The model is to call {0}, which is not offered.', toLabel(toolChoice.tool)),
    names.length === 0 ? t('Offer it with --tools.') : t('There are {0}.', names.join(', ')),
    t('Nothing was sent.'),
  );
}

const MAX_NAMES = 20;

/** @throws CommandError */
function pickOne<One extends { id: string }>(
  all: readonly One[],
  wanted: string | undefined,
  option: 'lane' | 'row',
): One {
  const fitting = wanted === undefined ? all : all.filter(({ id }) => id === wanted);
  const [only, more] = fitting;
  if (only !== undefined && more === undefined) return only;
  const ids = all
    .slice(0, MAX_NAMES)
    .map(({ id }) => toLabel(id, 40))
    .join(', ');
  throw new CommandError(
    wanted === undefined
      ? t('The playground has several: one --{0} is needed.', option)
      : t('The playground has no {0} {1}.', option, toLabel(wanted)),
    t('There are {0}.', ids),
    t('Nothing was sent.'),
  );
}
