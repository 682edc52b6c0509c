// Carries out the remedies that findings propose: edits the document in one undo step and, if asked to, repeats the request.
// Independent of views.
import { t } from '@vscode/l10n';
import type { DocumentEdit, DocumentTool, PlaygroundDocument } from '../protocol';
import type { JsonSchema, Remedy } from '../types';
import type { Conversations } from './conversation/conversation';
import type { EditableDocument } from './editing/editable-document';
import type { Lane } from './conversation/lane';
import { refuse } from './refusal';
import { jsonTypeOf } from '../inspect';
import type { ResolvedTool } from './tools/resolve-tools';
import { isRecord } from '../library';

const MAX_PARAMETERS = 50;

export class Remedies {
  readonly #editable: EditableDocument;
  readonly #conversations: Pick<Conversations, 'load' | 'askAgain'>;
  readonly #lane: (laneId: string) => Lane;

  /** @param lane Returns a lane by id; throws when there is none. */
  constructor(
    editable: EditableDocument,
    conversations: Pick<Conversations, 'load' | 'askAgain'>,
    lane: (laneId: string) => Lane,
  ) {
    this.#editable = editable;
    this.#conversations = conversations;
    this.#lane = lane;
  }

  /** @throws RefusalError when the remedy no longer applies, EditRefusedError when the document cannot be changed */
  async apply(
    { laneId, runId }: { laneId: string; runId: string },
    remedy: Remedy,
    isSentAgain: boolean,
  ): Promise<void> {
    const lane = this.#lane(laneId);
    if (isSentAgain && lane.isBusy) throw refuse(t('A run is under way in this lane.'), t('Stop it first.'));
    await this.#editable.flush();
    await this.#editable.resolved();
    const item = lane.findRun(runId);
    if (item) await this.#conversations.load(lane, [item]);
    const calls = lane.findRun(runId)?.record?.turn?.toolCalls ?? [];
    const { document, tools } = this.#editable;
    const argumentsOf = (name: string): unknown => calls.find((call) => call.name === name)?.arguments;
    const edits = toRemedyEdits(remedy, { document, tools, laneId, argumentsOf });
    if (edits.length > 0) await this.#editable.edit(edits);
    if (isSentAgain) await this.#conversations.askAgain(laneId, runId);
  }
}

interface RemedyContext {
  document: PlaygroundDocument;
  tools: readonly ResolvedTool[];
  laneId: string;
  /** Arguments of a call of this name in the reply; undefined when there is none. */
  argumentsOf: (name: string) => unknown;
}

/** @returns no edits when the document already is as the remedy proposes. @throws RefusalError */
export function toRemedyEdits(remedy: Remedy, context: RemedyContext): DocumentEdit[] {
  const { document, laneId } = context;
  const index = document.lanes.findIndex(({ id }) => id === laneId);
  if (index < 0) throw refuse(t('The lane no longer exists.'), t('Choose another lane.'));
  const lane = ['lanes', index] as const;
  switch (remedy.kind) {
    case 'rescue-on':
      return document.lanes[index]?.rescueToolCalls === false ? [{ path: [...lane, 'rescueToolCalls'] }] : [];
    case 'tool-choice':
      return [{ path: [...lane, 'toolChoice'], value: remedy.choice }];
    case 'sampling':
      return [{ path: [...lane, 'sampling', remedy.key], value: remedy.value }];
    case 'leave-out':
      return document.lanes[index]?.sampling[remedy.key] === undefined
        ? []
        : [{ path: [...lane, 'sampling', remedy.key] }];
    case 'raw':
      return toRawEdits(remedy, document.lanes[index]?.raw ?? {}, lane);
    case 'connection':
      return [
        { path: [...lane, 'connection'], value: remedy.connectionId },
        ...(remedy.numCtx === undefined
          ? []
          : [{ path: [...lane, 'sampling', 'numCtx'], value: remedy.numCtx }]),
      ];
    case 'offer-tool':
      return toOfferEdits(remedy.tool, context);
    case 'add-tool':
      return toAddEdits(remedy.tool, context);
    case 'rename-tool':
      return toRenameEdits(remedy, context);
  }
}

/** Removes `raw` as a whole when it would be left empty. */
function toRawEdits(
  { path, value }: Extract<Remedy, { kind: 'raw' }>,
  raw: Readonly<Record<string, unknown>>,
  lane: readonly (string | number)[],
): DocumentEdit[] {
  if (value !== undefined) return [{ path: [...lane, 'raw', ...path], value }];
  const [first = ''] = path;
  if (!Object.hasOwn(raw, first)) return [];
  const isLast = path.length === 1 && Object.keys(raw).length === 1;
  return [{ path: isLast ? [...lane, 'raw'] : [...lane, 'raw', ...path] }];
}

/** Removes `offered`, because true is the default, which is not written. */
function toOfferEdits(name: string, { tools }: RemedyContext): DocumentEdit[] {
  const found = tools.find(({ tool }) => tool.name === name);
  if (!found)
    throw refuse(t('The playground no longer has a tool {0}.', name), t('Add it in the view Tools.'));
  return found.tool.offered ? [] : [{ path: ['tools', found.index, 'offered'] }];
}

function toAddEdits(name: string, { document, tools, argumentsOf }: RemedyContext): DocumentEdit[] {
  if (tools.some(({ tool }) => tool.name === name)) return [];
  const value = { name, description: '', parameters: toParameters(argumentsOf(name)) };
  return [{ path: ['tools', document.tools.length], value }];
}

function toRenameEdits(
  { tool, to }: Extract<Remedy, { kind: 'rename-tool' }>,
  { document, tools }: RemedyContext,
): DocumentEdit[] {
  const found = tools.find((one) => one.tool.name === tool);
  if (!found)
    throw refuse(t('The playground no longer has a tool {0}.', tool), t('Add one in the view Tools.'));
  if (tools.some((one) => one.tool.name === to)) {
    throw refuse(t('The playground already has a tool {0}.', to), t('Offer that tool.'));
  }
  if (found.reference !== undefined) {
    throw refuse(t('The tool {0} comes from a library.', tool), t('Rename it there: Edit as JSON opens it.'));
  }
  return [
    { path: ['tools', found.index, 'name'], value: to },
    ...document.lanes.flatMap(({ toolChoice }, index) =>
      typeof toolChoice === 'object' && toolChoice.tool === tool
        ? [{ path: ['lanes', index, 'toolChoice', 'tool'], value: to }]
        : [],
    ),
  ];
}

/** A first schema from the types of the arguments that the model sent, to be completed by a person. */
function toParameters(args: unknown): DocumentTool['parameters'] {
  const given = isRecord(args) ? Object.entries(args).slice(0, MAX_PARAMETERS) : [];
  return {
    type: 'object',
    properties: Object.fromEntries(given.map(([key, value]) => [key, { type: jsonTypeOf(value) }])),
    ...(given.length > 0 && { required: given.map(([key]) => key) }),
  } satisfies JsonSchema;
}
