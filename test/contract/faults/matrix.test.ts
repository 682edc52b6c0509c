// Tests the fault matrix as a whole: the number of its rows, their names and their kinds of results.
import { describe, expect, test } from 'vitest';
import { BODY_FAULTS } from './bodies-faults';
import { CONNECTION_FAULTS } from './connection-faults';
import { VARIANTS } from './fault';
import { FRAMING_FAULTS } from './framing-faults';
import { LENGTH_FAULTS } from './lengths-faults';
import { LINE_FAULTS } from './lines-faults';
import { REPLY_FAULTS } from './replies-faults';
import { STATUS_FAULTS } from './statuses-faults';
import { STREAM_FAULTS } from './streams-faults';
import { TIMING_FAULTS } from './timing-faults';

const TABLES = [
  CONNECTION_FAULTS,
  TIMING_FAULTS,
  FRAMING_FAULTS,
  LENGTH_FAULTS,
  STATUS_FAULTS,
  BODY_FAULTS,
  REPLY_FAULTS,
  STREAM_FAULTS,
  LINE_FAULTS,
];

describe('the fault matrix', () => {
  test('has at least 60 faults that run with both providers, streamed and unstreamed, each with a unique name', () => {
    const faults = TABLES.flat();
    const names = new Set(faults.map(({ name }) => name));
    expect(names.size).toBe(faults.length);
    const complete = faults.filter(({ variants = VARIANTS }) =>
      VARIANTS.every((variant) => variants.includes(variant)),
    );
    expect(complete.length).toBeGreaterThanOrEqual(60);
  });

  test('has, in each table, faults that result in a turn and faults that result in an error', () => {
    for (const table of TABLES) {
      expect(table.some(({ expected }) => expected.code === undefined)).toBe(true);
      expect(table.some(({ expected }) => expected.code !== undefined)).toBe(true);
    }
  });
});
