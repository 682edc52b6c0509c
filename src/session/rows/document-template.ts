// The parts of a document that are filled with the variables of a row, before it is sent and judged. Only for a document with
// `evaluate.rows`: in any other, braces are text.
import type { DocumentMessage, DocumentTool, ToolMock, ToolReference } from '../../protocol';
import type { CallPattern, Expectation } from '../../types';
import type { DataRow } from './data-row';
import type { Shape, Unfilled } from './template';
import { Template } from './template';

/** What is filled of a document. Everything else, such as its lanes, is not for data to decide. */
export interface DocumentParts {
  system: string;
  messages: readonly DocumentMessage[];
  /** As written, or resolved. */
  tools: ReadonlyArray<DocumentTool | ToolReference>;
  expect?: readonly unknown[] | undefined;
}

export interface FilledParts<Parts extends DocumentParts> {
  /** With the expectations of the row after those of the document. Parts without placeholders are the same objects. */
  parts: Parts;
  /** Besides the strays of the template: if there are any, the parts must not be sent. */
  unfilled: Unfilled[];
}

const MOCK = {
  when: 'json',
  call: null,
  result: 'json',
  error: 'text',
  ask: null,
  invoke: null,
  delayMs: null,
} satisfies Record<keyof ToolMock, Shape>;

/** Names of tools and lanes have no placeholders. */
const CALL = {
  tool: null,
  arguments: 'json',
  exact: 'json',
  times: 'json',
  step: 'json',
  source: 'json',
  valid: 'json',
} satisfies Record<keyof CallPattern, Shape>;

const EXPECTATION = {
  name: 'text',
  lanes: null,
  when: 'json',
  calls: [CALL],
  extra: null,
  order: 'json',
  never: null,
  text: 'json',
  finish: 'json',
  verdict: 'json',
  max: 'json',
  steps: 'json',
  stop: 'json',
} satisfies Record<keyof Expectation, Shape>;

const PARTS = {
  system: 'text',
  messages: [{ content: 'text', toolCalls: [{ arguments: 'json' }] }],
  tools: [{ description: 'text', mocks: [MOCK] }],
  expect: [EXPECTATION],
} satisfies Record<keyof DocumentParts, Shape>;

/** Made once for all rows. */
export class DocumentTemplate<Parts extends DocumentParts> extends Template<Parts> {
  constructor(parts: Parts) {
    super(parts, PARTS);
  }

  fillRow({ variables, expect: ofRow }: Pick<DataRow, 'variables' | 'expect'>): FilledParts<Parts> {
    const { value: parts, unfilled } = this.fillWith(variables);
    if (ofRow === undefined) return { parts, unfilled };
    const template = new Template(ofRow, PARTS.expect, ['$expect']);
    const own = template.fillWith(variables);
    return {
      parts: { ...parts, expect: [...(parts.expect ?? []), ...own.value] },
      unfilled: [...unfilled, ...template.strays, ...own.unfilled],
    };
  }
}
