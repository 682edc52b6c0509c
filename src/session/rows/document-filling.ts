// What is sent of a document in an ordinary run: with the variables of the row that was chosen for it. An evaluation fills its
// rows itself.
import { t } from '@vscode/l10n';
import type { DocumentMessage, DocumentTool, PlaygroundDocument } from '../../protocol';
import type { RefusalError } from '../refusal';
import { refuse } from '../refusal';
import { formatPlace } from '../document/place';
import { canonicalJson } from '../../inspect';
import type { ResolvedTool } from '../tools/resolve-tools';
import { describeUnfilled } from './check-placeholders';
import type { DataRow } from './data-row';
import { DocumentTemplate } from './document-template';
import type { Unfilled } from './template';

export interface SentParts {
  system: string;
  tools: readonly DocumentTool[];
  /** The message as it is sent. */
  message: (message: DocumentMessage) => DocumentMessage;
  /** Places that have no value: while there are any, nothing is sent. */
  unfilled: readonly Unfilled[];
}

export class DocumentFilling {
  #row: DataRow | undefined;
  #known: { from: readonly unknown[]; parts: SentParts } | undefined;

  /** @returns whether something else is sent now */
  choose(row: DataRow | undefined): boolean {
    const isSame = canonicalJson(row?.variables ?? null) === canonicalJson(this.#row?.variables ?? null);
    this.#row = row;
    return !isSame;
  }

  fill(document: PlaygroundDocument, tools: readonly ResolvedTool[]): SentParts {
    const from = [document, tools, this.#row];
    if (this.#known?.from.every((one, index) => one === from[index])) return this.#known.parts;
    const parts = fillParts(document, tools, this.#row);
    this.#known = { from, parts };
    return parts;
  }

  /** Why nothing can be sent: a place has no value. */
  findRefusal({ unfilled: [first] }: SentParts): RefusalError | undefined {
    if (!first) return undefined;
    const what =
      this.#row || first.reason === 'stray'
        ? describeUnfilled(first)
        : t('{0} has {1}, and no row is chosen that fills it.', formatPlace(first.path), `{{${first.name}}}`);
    return refuse(what, t('Choose a row beside the message, or evaluate all rows.'), t('Nothing was sent.'));
  }
}

function fillParts(
  document: PlaygroundDocument,
  resolved: readonly ResolvedTool[],
  row: DataRow | undefined,
): SentParts {
  const { system, messages, evaluate } = document;
  const tools = resolved.map(({ tool }) => tool);
  if (evaluate.rows === undefined) return { system, tools, message: (message) => message, unfilled: [] };
  const template = new DocumentTemplate({ system, messages, tools, expect: [] });
  const { parts, unfilled } = template.fillRow({ variables: row?.variables ?? {} });
  const filled = new Map(messages.map((message, index) => [message, parts.messages[index] ?? message]));
  return {
    system: parts.system,
    tools: parts.tools,
    message: (message) => filled.get(message) ?? message,
    unfilled: [...template.strays, ...unfilled],
  };
}
