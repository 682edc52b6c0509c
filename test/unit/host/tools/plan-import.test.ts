import { describe, expect, test } from 'vitest';
import {
  describeImport,
  findClashes,
  freeName,
  addInvokeMocks,
  planImport,
} from '../../../../src/host/tools/plan-import';
import type { DocumentTool } from '../../../../src/protocol';
import { editDocument, parseDocument } from '../../../../src/session';
import type { Present } from '../../../../src/host/tools/plan-import';

const LIMITS = { tools: 4, name: 20 };

const toolNamed = (name: string, more: object = {}): DocumentTool => ({
  name,
  description: name,
  parameters: { type: 'object', properties: {} },
  offered: true,
  mocks: [],
  ...more,
});
const present = (name: string, more: object = {}): Present => ({ name, entry: toolNamed(name, more) });
const referred = ($ref: string, name: string): Present => ({ name, entry: { $ref, offered: true } });

describe('planImport', () => {
  test('adds tools after the existing ones', () => {
    const plan = planImport([present('a')], [{ tool: toolNamed('b') }], 'keep both', LIMITS);
    expect(plan.edits.map(({ path }) => path)).toEqual([['tools', 1]]);
    expect(plan.imported).toEqual(['b']);
  });

  test('adds a number to a name that is taken, even by another imported tool', () => {
    const incoming = [{ tool: toolNamed('a') }, { tool: toolNamed('a') }];
    const { imported } = planImport([present('a')], incoming, 'keep both', LIMITS);
    expect(imported).toEqual(['a_2', 'a_3']);
  });

  test('replaces a tool once, with minimal edits, and keeps its mocks', () => {
    const old = present('a', { description: 'old', mocks: [{ result: 1 }] });
    const incoming = [
      { tool: toolNamed('a', { description: 'new' }) },
      { tool: toolNamed('a', { description: 'newer' }) },
    ];
    const { edits, imported } = planImport([old], incoming, 'replace', LIMITS);
    expect(edits[0]).toEqual({ path: ['tools', 0, 'description'], value: 'new' });
    expect(edits).toHaveLength(2);
    expect(imported).toEqual(['a', 'a_2']);
  });

  test('adds a reference to the tool of a library, unless there is one', () => {
    const [there, other] = ['user#/a', 'user#/b'];
    const incoming = [
      { tool: toolNamed('a'), reference: there },
      { tool: toolNamed('b'), reference: other },
    ];
    const { edits, skipped } = planImport([referred(there, 'a')], incoming, 'keep both', LIMITS);
    expect(edits).toEqual([{ path: ['tools', 1], value: { $ref: other } }]);
    expect(skipped).toEqual([{ what: 'a', why: 'already exists' }]);
  });

  test('copies the tool of a library whose name is taken, because a reference cannot be renamed', () => {
    const incoming = [{ tool: toolNamed('a'), reference: 'user#/a' }];
    const { edits } = planImport([present('a')], incoming, 'keep both', LIMITS);
    expect(edits[0]?.value).toMatchObject({ name: 'a_2' });
    expect(edits[0]?.value).not.toHaveProperty('$ref');
  });

  test('stops at the maximum number of tools', () => {
    const incoming = ['a', 'b', 'c', 'd', 'e'].map((name) => ({ tool: toolNamed(name) }));
    const { imported, skipped } = planImport([], incoming, 'keep both', LIMITS);
    expect(imported).toEqual(['a', 'b', 'c', 'd']);
    expect(skipped.map(({ what }) => what)).toEqual(['e']);
  });
});

describe('planImport of many tools', () => {
  test('makes no more edits than a document accepts', () => {
    const names = Array.from({ length: 200 }, (_, at) => `t${at}`);
    const keys = Array.from({ length: 10 }, (_, at) => `k${at}`);
    const filled = (name: string, value: number): DocumentTool =>
      toolNamed(name, { parameters: Object.fromEntries(keys.map((key) => [key, value])) });
    const there = names.map((name) => ({ name, entry: filled(name, 1) }));
    const others = names.map((name) => ({ tool: filled(name, 2) }));
    const { edits } = planImport(there, others, 'replace', { tools: 500, name: 200 });
    const text = JSON.stringify({ tools: there.map(({ entry }) => entry) });
    expect(editDocument(parseDocument(text), edits).error).toBeUndefined();
  });
});

describe('findClashes', () => {
  test('names each tool once, and no reference that exists already', () => {
    const incoming = [
      { tool: toolNamed('a') },
      { tool: toolNamed('a') },
      { tool: toolNamed('b'), reference: 'user#/b' },
    ];
    expect(findClashes([present('a'), referred('user#/b', 'b')], incoming)).toEqual(['a']);
  });
});

describe('freeName', () => {
  test('stays within the maximum length and never splits a character', () => {
    const name = `${'x'.repeat(17)}😀`;
    expect(freeName(name, new Set([name]), 20)).toBe(`${'x'.repeat(17)}_2`);
  });
});

describe('addInvokeMocks', () => {
  test('adds a mock that invokes the real tool after the existing mocks, unless there is one', () => {
    const tools = [
      present('a', { mocks: [{ when: { x: 1 }, result: 1 }] }),
      present('b', { mocks: [{ invoke: true }] }),
      present('c'),
    ];
    const edits = addInvokeMocks(tools, new Set(['a', 'b']));
    expect(edits.map(({ path }) => path)).toEqual([['tools', 0, 'mocks']]);
    expect(edits[0]?.value).toMatchObject([{ result: 1 }, { invoke: true }]);
  });
});

describe('describeImport', () => {
  test('counts items that do not fit into a message', () => {
    const names = Array.from({ length: 10 }, (_none, index) => `t${index}`);
    const skipped = names.map((what) => ({ what, why: 'has no name' }));
    const text = describeImport({ imported: names, skipped });
    expect(text).toContain('t7 and 2 more');
    expect(text).toContain('; and 5 more.');
  });

  test('makes hidden characters of a name visible', () => {
    expect(describeImport({ imported: ['a\u{202e}b'], skipped: [] })).toBe('Imported a\\u{202e}b.');
  });
});
