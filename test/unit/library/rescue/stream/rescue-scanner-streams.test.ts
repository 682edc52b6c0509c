import { describe, expect, it } from 'vitest';
import { rescueToolCalls } from '../../../../../src/library/rescue/rescue-tool-calls';
import { RescueScanner } from '../../../../../src/library/rescue/stream/rescue-scanner';
import { STREAMS, toolsOf } from '../rescue-fixtures';

const TOOLS = [...toolsOf('weather'), ...toolsOf('data')];

const countSigns = (text: string): number => text.replaceAll(/\s/g, '').length;

describe('RescueScanner on damaged replies', () => {
  it.each(STREAMS)('does not emit any part of a call with a marker: $name', ({ text, cuts }) => {
    const calls = rescueToolCalls(text, TOOLS).calls.filter(({ evidence }) => evidence === 'marker');
    expect(calls).not.toEqual([]);
    const scanner = new RescueScanner(TOOLS);
    const given: string[] = [];
    for (let at = 0, index = 0; at < text.length; index += 1) {
      const length = cuts[index % cuts.length] ?? 1;
      given.push(scanner.feed(text.slice(at, at + length)));
      at += length;
    }
    const ofCalls = calls.reduce((sum, { start, end }) => sum + countSigns(text.slice(start, end)), 0);
    const shown = given.join('') + scanner.finish().rest;
    expect(countSigns(shown)).toBeLessThanOrEqual(countSigns(text) - ofCalls);
  });
});
