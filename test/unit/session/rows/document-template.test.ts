import { describe, expect, test } from 'vitest';
import { parseDocument } from '../../../../src/session';
import { DocumentTemplate } from '../../../../src/session/rows/document-template';
import { parseRows } from '../../../../src/session/rows/parse-rows';

const parse = (value: object) => {
  const { document, error } = parseDocument(JSON.stringify(value));
  if (!document) throw new Error(error?.message);
  return document;
};
const rowOf = (row: object) => {
  const [parsed] = parseRows(JSON.stringify([row]), 'json').rows;
  if (!parsed) throw new Error('The row has a problem.');
  return parsed;
};

describe('DocumentTemplate', () => {
  test('fills the texts of a document, and leaves to data neither names nor where a request goes', () => {
    const text = '{{x}}';
    const document = parse({
      system: text,
      messages: [
        { role: 'user', content: `In ${text}` },
        { role: 'assistant', toolCalls: [{ id: text, name: text, arguments: { [text]: text } }] },
        { role: 'tool', toolCallId: text, toolName: text, content: text },
      ],
      tools: [
        {
          name: text,
          description: text,
          parameters: { type: 'object', properties: { a: { description: text } } },
          mocks: [{ when: { a: text }, result: [text] }, { error: text }],
        },
        { $ref: './tools.json#/x', mocks: [{ result: text }] },
      ],
      evaluate: { rows: './x.json' },
      lanes: [{ id: 'a', connection: text, model: text, raw: { a: text } }],
      expect: [
        {
          name: text,
          lanes: [text],
          when: { a: text },
          calls: [{ tool: text, arguments: { tool: text } }],
          extra: [text],
          never: [text],
          text: { $contains: text },
          finish: text,
        },
      ],
    });
    const { parts, unfilled } = new DocumentTemplate(document).fillRow(rowOf({ x: 4 }));
    expect(unfilled).toEqual([]);
    expect(parts).toEqual({
      ...document,
      system: '4',
      messages: [
        { role: 'user', content: 'In 4' },
        { role: 'assistant', content: '', toolCalls: [{ id: text, name: text, arguments: { [text]: 4 } }] },
        { role: 'tool', toolCallId: text, toolName: text, content: '4' },
      ],
      tools: [
        {
          ...document.tools[0],
          description: '4',
          mocks: [{ when: { a: 4 }, result: [4] }, { error: '4' }],
        },
        { ...document.tools[1], mocks: [{ result: 4 }] },
      ],
      expect: [
        {
          name: '4',
          lanes: [text],
          when: { a: 4 },
          calls: [{ tool: text, arguments: { tool: 4 } }],
          extra: [text],
          never: [text],
          text: { $contains: 4 },
          finish: 4,
        },
      ],
    });
    expect(parts.lanes).toBe(document.lanes);
  });

  test('does not copy what has no placeholder', () => {
    const document = parse({ system: '{{x}}', tools: [{ name: 'a' }], messages: [{ role: 'user' }] });
    const { parts } = new DocumentTemplate(document).fillRow(rowOf({ x: 1 }));
    expect([parts.tools, parts.messages]).toEqual([document.tools, document.messages]);
    expect(parts.tools).toBe(document.tools);
    expect(parts.messages).toBe(document.messages);
    expect(new DocumentTemplate(parse({})).fillRow(rowOf({ x: 1 })).parts).toEqual(parse({}));
  });

  test('adds the expectations of the row, filled as those of the document are', () => {
    const row = rowOf({ city: 'Oslo', $expect: [{ text: '{{city}}' }, { text: '{{none}}', finish: '{{' }] });
    const { parts, unfilled } = new DocumentTemplate(parse({ expect: [{ calls: [] }] })).fillRow(row);
    expect(parts.expect?.slice(0, 2)).toEqual([{ calls: [] }, { text: 'Oslo' }]);
    expect(unfilled).toEqual([
      { path: ['$expect', 1, 'finish'], name: '', reason: 'stray' },
      { path: ['$expect', 1, 'text'], name: 'none', reason: 'absent' },
    ]);
    const ofRow = rowOf({
      n: 2,
      $expect: [{ calls: [{ tool: 'a', times: '{{n}}' }], max: { timeMs: '{{n}}' } }],
    });
    expect(new DocumentTemplate(parse({})).fillRow(ofRow).parts.expect).toEqual([
      { calls: [{ tool: 'a', times: 2 }], max: { timeMs: 2 } },
    ]);
  });

  test('lists the placeholders of the document with their places', () => {
    const document = parse({ system: '{{a}} {{b}}', messages: [{ role: 'user', content: '{{a}}' }] });
    expect(new DocumentTemplate(document).placeholders).toEqual([
      { path: ['system'], name: 'a' },
      { path: ['system'], name: 'b' },
      { path: ['messages', 0, 'content'], name: 'a' },
    ]);
  });
});
