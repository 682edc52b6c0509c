import { describe, expect, it, vi } from 'vitest';
import { rescueToolCalls } from '../../../../../../src/library/rescue/rescue-tool-calls';
import { END_RULES } from '../../../../../../src/library/rescue/pairs/ends/end-rules';
import { readFieldCases } from '../../../../../support/field/field-case';
import { CORPUS, kindsOf, OWN_CORPUS, PEER_CASES, toolsOf, toPlain } from '../../rescue-fixtures';

const REPLIES = new Map(
  [...CORPUS, ...OWN_CORPUS, ...PEER_CASES].map(({ id, text, tools }) => [
    id,
    { text, tools: toolsOf(tools) },
  ]),
);
for (const item of readFieldCases())
  if ('text' in item) REPLIES.set(item.id, { text: item.text, tools: item.tools ?? [] });

/** The calls of the reply with what was repaired in them, and why others were rejected. */
function read(id: string): unknown {
  const reply = REPLIES.get(id);
  if (!reply) throw new Error(`no reply ${id}`);
  const { calls, rejected } = rescueToolCalls(reply.text, reply.tools);
  const repairs = calls.flatMap((call) => kindsOf(call.repairs));
  return { calls: calls.map(toPlain), repairs, reasons: rejected.map(({ reason }) => reason) };
}

describe('END_RULES', () => {
  it('have different names, and cases', () => {
    expect(new Set(END_RULES.map(({ name }) => name)).size).toBe(END_RULES.length);
    expect(END_RULES.filter(({ cases }) => cases.length === 0)).toEqual([]);
  });

  it.each(END_RULES)('need the rule for its cases: $name', (rule) => {
    const right = rule.cases.map(read);
    const judge = vi.spyOn(rule, 'judge').mockReturnValue(undefined);
    try {
      for (const [index, id] of rule.cases.entries()) expect(read(id), id).not.toEqual(right[index]);
    } finally {
      judge.mockRestore();
    }
    expect(rule.cases.map(read)).toEqual(right);
  });
});
