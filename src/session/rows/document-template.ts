// The parts of a document that are filled with the variables of a row, before it is sent and judged. Only for a document with
// `evaluate.rows`: in any other, braces are text.
import type { PlaygroundDocument, ToolMock } from '../../protocol';
import type { CallPattern, Expectation } from '../../types';
import type { DataRow } from './data-row';
import type { Shape, Unfilled } from './template';
import { Template } from './template';

/** What is filled of a document; its tools as written, or resolved. Everything else, such as its lanes, is not for data to decide. */
export type DocumentParts = Pick<PlaygroundDocument, 'system' | 'messages' | 'tools' | 'expect'>;

export interface FilledParts<Parts extends DocumentParts> {
  /**
   * With the expectations of the row after those of the document. Parts without placeholders are the same objects. Matchers and
   * expectations are valid only for a row that `checkPlaceholders` found nothing wrong with.
   */
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
  /** As they were given. */
  readonly parts: Parts;

  constructor(parts: Parts) {
    super(parts, PARTS);
    this.parts = parts;
  }

  fillRow({ variables, expect: ofRow }: Pick<DataRow, 'variables' | 'expect'>): FilledParts<Parts> {
    const { value: parts, unfilled } = this.fillWith(variables);
    if (ofRow === undefined) return { parts, unfilled };
    const template = new Template(ofRow, PARTS.expect, ['$expect']);
    const own = template.fillWith(variables);
    return {
      parts: { ...parts, expect: [...parts.expect, ...(own.value as Expectation[])] },
      unfilled: [...unfilled, ...template.strays, ...own.unfilled],
    };
  }
}
