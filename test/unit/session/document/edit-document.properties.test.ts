import { createScanner } from 'jsonc-parser';
import * as v from 'valibot';
import { describe, expect, test } from 'vitest';
import { DocumentSchema } from '../../../../src/protocol';
import type { DocumentEdit, PlaygroundDocument } from '../../../../src/protocol';
import { editDocument, NEW_PLAYGROUND_TEXT, parseDocument } from '../../../../src/session';
import type { TextEdit } from '../../../../src/session';
import { anyText } from '../../../support/arbitrary/arbitrary-text';
import { fc, runs } from '../../../support/arbitrary/properties';

const text = anyText({ maxLength: 8 });
/** An object whose keys all begin with `$` is a matcher, which has rules of its own. */
const key = fc.oneof(
  fc.constantFrom('a', 'b', 'options', 'constructor', 'toString', ''),
  text.filter((each) => !each.startsWith('$')),
);
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.oneof(
      text,
      fc.integer(),
      fc.boolean(),
      fc.constant(null),
      fc.double({ noNaN: true, noDefaultInfinity: true }),
    ),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(key, tie('value'), { maxKeys: 3, noNullPrototype: true }),
  ),
})).value;
const jsonObject = fc.dictionary(key, json, { maxKeys: 3, noNullPrototype: true });
const optional = <T>(shape: { [K in keyof T]: fc.Arbitrary<T[K]> }, ...required: (keyof T)[]) =>
  fc.record(shape, { requiredKeys: required, noNullPrototype: true });

const mock = fc.oneof(
  optional({ when: jsonObject, result: json, delayMs: fc.nat(1000) }, 'result'),
  optional({ call: fc.integer({ min: 1, max: 9 }), error: text }, 'error'),
  fc.constant({ ask: true }),
);
const tool = fc.oneof(
  optional(
    {
      name: text.filter((name) => name !== ''),
      description: text,
      parameters: jsonObject,
      mocks: fc.array(mock, { maxLength: 3 }),
    },
    'name',
  ),
  optional({ $ref: fc.constant('user#/a'), offered: fc.boolean() }, '$ref'),
);
const message = optional(
  { role: fc.constantFrom('user', 'assistant'), content: text, lanes: fc.constant(['a']) },
  'role',
);
const lane = optional({
  model: text,
  raw: jsonObject,
  sampling: optional({ temperature: fc.nat(2), stop: fc.array(text, { maxLength: 2 }) }),
});
const file = optional({
  version: fc.constant(1),
  system: text,
  messages: fc.array(message, { maxLength: 3 }),
  tools: fc.array(tool, { maxLength: 3 }),
  lanes: fc
    .array(lane, { minLength: 1, maxLength: 3 })
    .map((lanes) => lanes.map((entry, index) => ({ id: `${index}`, ...entry }))),
  expect: fc.array(optional({ name: text, text: json, never: fc.array(text, { maxLength: 2 }) }, 'never'), {
    maxLength: 3,
  }),
  extra: fc.constantFrom([1], [1, 2], [1, 2, 3]),
});

/** What may stand between the tokens of a file. */
const gap = fc.constantFrom(
  '',
  '',
  '',
  ' ',
  '\n',
  '\n  ',
  '\t',
  ' // note\n',
  '/* note */',
  ' /* two\r\nlines */ ',
  '\r\n',
  '\r\n\t',
  '// {"[,\r\n',
);
/** The value as text, with gaps everywhere. */
function toWild(value: unknown, next: () => string, comma: () => string): string {
  const list = (open: string, parts: string[], close: string) =>
    open +
    parts.map((part) => next() + part + next()).join(',') +
    (parts.length > 0 ? comma() : '') +
    next() +
    close;
  if (Array.isArray(value))
    return list(
      '[',
      value.map((entry) => toWild(entry, next, comma)),
      ']',
    );
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value);
  return list(
    '{',
    members.map(([name, entry]) => JSON.stringify(name) + next() + ':' + next() + toWild(entry, next, comma)),
    '}',
  );
}
const anyFile = fc.oneof(
  fc
    .tuple(file, fc.constantFrom(undefined, 1, 2, 4, '\t'), fc.constantFrom('\n', '\r\n', '\r'))
    .map(([value, unit, lineEnd]) => JSON.stringify(value, null, unit).replaceAll('\n', lineEnd)),
  fc
    .tuple(file, fc.array(gap, { minLength: 1, maxLength: 40 }), fc.boolean())
    .map(([value, gaps, hasComma]) => {
      let at = 0;
      const next = () => gaps[at++ % gaps.length] ?? '';
      return next() + toWild(value, next, () => (hasComma ? ',' : '')) + next();
    }),
  fc.constant(NEW_PLAYGROUND_TEXT),
);

const VALUES = fc.record({ text, message, tool, mock, lane, json, id: fc.constantFrom('x', 'y', '0') });
type Values = typeof VALUES extends fc.Arbitrary<infer Value> ? Value : never;
/** A value that fits the path in most cases. */
function valueAt(path: DocumentEdit['path'], { id, ...values }: Values): unknown {
  const [top, , part, index] = path;
  if (path.length === 2 && top === 'lanes') return { id, ...values.lane };
  if (path.length === 2 && top === 'messages') return values.message;
  if (path.length === 2 && top === 'tools') return values.tool;
  if (path.length === 4 && part === 'mocks' && index !== undefined) return values.mock;
  return ['model', 'system', 'content', 'name', 'description', 'error'].includes(String(path.at(-1)))
    ? values.text
    : values.json;
}
/** An edit of an existing path, or of one next to it. */
const anyEdit = (document: unknown): fc.Arbitrary<DocumentEdit> =>
  fc
    .tuple(
      fc.array(fc.tuple(fc.nat(), fc.integer({ min: 0, max: 9 })), { minLength: 1, maxLength: 5 }),
      key,
      VALUES,
      fc.nat(5),
    )
    .map(([steps, newKey, values, kind]) => {
      const path: (string | number)[] = [];
      let at: unknown = document;
      for (const [pick, chance] of steps) {
        if (typeof at !== 'object' || at === null) break;
        const keys = Object.keys(at);
        const chosen = chance === 0 || keys.length === 0 ? newKey : (keys[pick % keys.length] ?? '');
        const segment = Array.isArray(at) ? (chance === 0 ? at.length : pick % (at.length + 1)) : chosen;
        path.push(segment);
        at = (at as Record<string | number, unknown>)[segment];
        if (chance === 1) break;
      }
      if (kind === 0) return { path };
      if (kind === 1 && typeof path.at(-1) === 'number') return { path, movedFrom: steps[0]?.[1] ?? 0 };
      return { path, value: valueAt(path, values), isInsertion: typeof path.at(-1) === 'number' && kind < 3 };
    });
const anyCase = anyFile.chain((before) => {
  const { document } = parseDocument(before);
  return fc.tuple(fc.constant(before), fc.array(anyEdit(document), { minLength: 1, maxLength: 2 }));
});

class Refused extends Error {}
/** An independent implementation of the rules for paths, on plain values. */
function change(root: unknown, { path, value, isInsertion, movedFrom }: DocumentEdit): void {
  let at = root;
  for (const [index, segment] of path.entries()) {
    if (segment === '__proto__' || segment === 'constructor' || segment === 'prototype') throw new Refused();
    if (typeof at !== 'object' || at === null || Array.isArray(at) !== (typeof segment === 'number'))
      throw new Refused();
    const members = at as Record<string | number, unknown>;
    const isThere = Object.hasOwn(members, segment);
    if (Array.isArray(at) && Number(segment) > at.length) throw new Refused();
    if (!isThere && value === undefined) {
      // A missing list has no element that could be removed.
      if (Array.isArray(at) || typeof path[index + 1] === 'number') throw new Refused();
      return;
    }
    if (index < path.length - 1) {
      if (!isThere) members[segment] = typeof path[index + 1] === 'number' ? [] : {};
      at = members[segment];
    } else if (Array.isArray(at) && movedFrom !== undefined) {
      if (movedFrom >= at.length) throw new Refused();
      at.splice(Number(segment), 0, ...at.splice(movedFrom, 1));
    } else if (Array.isArray(at)) {
      if (value === undefined && isInsertion) throw new Refused();
      at.splice(
        Number(segment),
        value === undefined || !isInsertion ? 1 : 0,
        ...(value === undefined ? [] : [value]),
      );
    } else if (isInsertion) throw new Refused();
    else if (value === undefined) delete members[segment];
    else members[segment] = value;
  }
}
/** The document after the edits; undefined if they make it invalid. */
function changed(document: PlaygroundDocument, edits: readonly DocumentEdit[]): unknown {
  let copy: unknown = structuredClone(document);
  try {
    for (const edit of structuredClone(edits)) {
      change(copy, edit);
      copy = complete(copy) ?? copy;
    }
  } catch (error) {
    if (error instanceof Refused) return undefined;
    throw error;
  }
  return complete(copy);
}
const complete = (value: unknown): unknown => parseDocument(JSON.stringify(value)).document;

function apply(before: string, edits: readonly TextEdit[]): string {
  let after = before;
  for (const { offset, length, text: inserted } of edits.toReversed())
    after = after.slice(0, offset) + inserted + after.slice(offset + length);
  return after;
}
function commentsOf(source: string): string[] {
  const scanner = createScanner(source);
  const comments: string[] = [];
  for (let token: number = scanner.scan(); token !== 17; token = scanner.scan())
    if (token === 12 || token === 13)
      comments.push(source.slice(scanner.getTokenOffset(), scanner.getPosition()));
  return comments;
}

describe('editDocument', () => {
  test('returns a text that is read as the document with the edits applied', () => {
    let made = 0;
    fc.assert(
      fc.property(anyCase, ([before, edits]) => {
        const parsed = parseDocument(before);
        if (parsed.error) throw new Error(parsed.error.message);
        const { document } = parsed;
        const result = editDocument(parsed, edits);
        const wanted = changed(document, edits);
        if (result.error !== undefined) expect(wanted, result.error).toBeUndefined();
        else {
          made++;
          const { after } = result;
          expect(after.document).toEqual(wanted);
          expect(parseDocument(after.text)).toEqual(after);
          expect(apply(before, result.edits)).toBe(after.text);
          expect(v.is(DocumentSchema, wanted)).toBe(true);
        }
      }),
      { numRuns: runs(800) },
    );
    expect(made).toBeGreaterThan(runs(200));
  });

  test('keeps every comment except those within replaced or removed parts', () => {
    fc.assert(
      fc.property(anyFile, text, fc.nat(2), (before, system, pick) => {
        const parsed = parseDocument(before);
        const { document } = parsed;
        const { extra } = document as { extra?: unknown[] };
        const edits: DocumentEdit[] = [
          { path: ['system'], value: system },
          { path: ['messages', document?.messages.length ?? 0], value: { role: 'user', content: system } },
          { path: ['messages', 0], value: { role: 'user' }, isInsertion: true },
          { path: ['extra', 0], value: 1, isInsertion: true },
          ...(extra ? [{ path: ['extra', pick % extra.length] }] : []),
          ...(extra ? [{ path: ['extra', 0], movedFrom: pick % extra.length }] : []),
          ...(extra ? [{ path: ['extra'], value: [...extra, 'one more'] }] : []),
          ...(extra ? [{ path: ['extra'], value: extra.slice(1) }] : []),
        ];
        for (const edit of edits) {
          const result = editDocument(parsed, [edit]);
          expect(commentsOf(result.after?.text ?? '').toSorted()).toEqual(commentsOf(before).toSorted());
        }
      }),
      { numRuns: runs(200) },
    );
  });
});
