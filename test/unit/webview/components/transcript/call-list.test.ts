import { html } from 'lit';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import type { LaneEntry } from '../../../../../src/protocol';
import type { Drawn, DrawOptions } from '../../draw';
import { drawPart, findButton, textOf } from '../../draw';
import { CALL, toMessage, toOutcome, toReplied, toReply, toResult, toRun } from '../../samples';
import { registerOnce } from '../../register-once';

beforeAll(registerOnce);

const draw = (entries: LaneEntry[], options: DrawOptions = {}): Promise<Drawn> =>
  drawPart((playground) => html`<pg-transcript .playground=${playground} .laneId=${'a'}></pg-transcript>`, {
    lanes: { a: { entries: [toMessage('m'), ...entries] } },
    ...options,
  });

describe('many calls', () => {
  const calls = Array.from({ length: 200 }, (_, index) => ({
    ...CALL,
    id: `c${index}`,
    arguments: { page: index },
  }));

  it('are ten cards, and rows that open on demand', async () => {
    const { host, settle } = await draw([toReplied('r1', toReply('', calls))]);
    expect(host.querySelectorAll('.call')).toHaveLength(200);
    expect(host.querySelectorAll('.call .args')).toHaveLength(10);
    host.querySelectorAll<HTMLElement>('.call')[50]?.querySelector<HTMLElement>('.tool')?.click();
    await settle();
    expect(textOf(host.querySelectorAll('.call')[50]?.querySelector('.args'))).toBe('page 50');
  });

  it('contain their results, which are not repeated below', async () => {
    const results = Object.fromEntries(calls.map((_, index) => [index, toResult(`page ${index} of 200`)]));
    const { host, text } = await draw([toReplied('r1', toReply('', calls), { results })]);
    expect(host.querySelectorAll('.turn:not(.run-end)')).toHaveLength(2);
    expect(text().split('page 7 of 200')).toHaveLength(2);
  });

  it('can be filtered by name or arguments', async () => {
    const { host, settle } = await draw([toReplied('r1', toReply('', calls))]);
    const filter = host.querySelector<HTMLInputElement>('.call-filter input');
    if (filter) filter.value = '"page":17';
    filter?.dispatchEvent(new Event('input', { bubbles: true }));
    await settle();
    expect(host.querySelectorAll('.call')).toHaveLength(11);
    expect(textOf(host.querySelector('.call-filter [role=status]'))).toBe('11 of 200 calls');
  });

  it('are counted and copied completely if the panel has only the first ones', async () => {
    const copied = vi.spyOn(navigator.clipboard, 'writeText').mockResolvedValue();
    const cut = [{ path: 'reply.toolCalls', length: 2000 }];
    const run = toRun('r1', toOutcome('r1', toReply('', calls), { cut }));
    const answers = { 'text/read': { text: '[all of them]' } };
    const { host, text, settle } = await draw([run], { answers });
    expect(textOf(host.querySelector('.call-filter [role=status]'))).toBe('2 000 calls');
    expect(text()).toContain('Only the first 200 of 2 000 calls are listed; a copy has them all.');
    findButton(host, 'Copy calls as JSON').click();
    await settle();
    expect(copied.mock.lastCall).toEqual(['[all of them]']);
  });

  it('have no filter if they are few', async () => {
    const { host } = await draw([toReplied('r1', toReply('', calls.slice(0, 10)))]);
    expect(host.querySelector('.call-filter')).toBeNull();
    expect(host.querySelectorAll('.call .args')).toHaveLength(10);
  });
});
