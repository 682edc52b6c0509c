// Makes a mock of a call that a reply made, so that the same call is answered from then on.
import { t } from '@vscode/l10n';
import { isRecord } from '../../library';
import type { DocumentEdit, PlaygroundDocument } from '../../protocol';
import type { SampleCall } from '../../types';
import type { EditableDocument } from '../editing/editable-document';
import { toLiteral } from '../evaluation/change-expectations';
import { toOutcome } from '../evaluation/sample-facts';
import type { PastRuns } from '../journal/past-runs';
import { refuse } from '../refusal';
import type { ResolvedTool } from './resolve-tools';

interface CallPlace {
  laneId: string;
  runId: string;
  callIndex: number;
}

/** Adds the mock to the document. @throws RefusalError, EditRefusedError */
export async function mockCall(
  { editable, past }: { editable: EditableDocument; past: Pick<PastRuns, 'record'> },
  { laneId, runId, callIndex }: CallPlace,
): Promise<void> {
  const outcome = toOutcome([await past.record({ laneId, runId })], undefined);
  const call = outcome && 'facts' in outcome ? outcome.facts.calls[callIndex] : undefined;
  if (!call) throw refuse(t('The reply made no such call.'), t('Choose another one.'));
  await editable.flush();
  await editable.edit([toMockEdit(editable.document, editable.tools, call)]);
}

/**
 * The new mock is the first one: an earlier one might answer every call. Those of a library are copied, as its mocks count only
 * while the playground has none.
 * @throws RefusalError
 */
export function toMockEdit(
  { tools: entries, evaluate }: Pick<PlaygroundDocument, 'tools' | 'evaluate'>,
  tools: readonly ResolvedTool[],
  { name, arguments: args }: Pick<SampleCall, 'name' | 'arguments'>,
): DocumentEdit {
  const found = tools.find(({ tool }) => tool.name === name);
  const entry = found && entries[found.index];
  if (!entry) throw refuse(t('The playground has no tool of this name.'), t('Add the tool first.'));
  const when = isRecord(args) ? toLiteral(args, evaluate.rows !== undefined && {}) : undefined;
  if (when === undefined)
    throw refuse(t('The arguments of the call are not an object.'), t('Add a mock for any call instead.'));
  const path = ['tools', found.index, 'mocks'];
  const mock = { when, result: '' };
  return entry.mocks
    ? { path: [...path, 0], value: mock, isInsertion: true }
    : { path, value: [mock, ...(found.tool.mocks ?? [])] };
}
