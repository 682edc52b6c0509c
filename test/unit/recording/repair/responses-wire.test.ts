// Calls as documents of the Responses protocol.
import { describe, expect, it } from 'vitest';
import { ResponsesWire } from '../../../../src/recording/repair/responses-wire';

const CALLS = [{ id: 'c1', name: 'get_weather', arguments: { city: 'Oslo' } }];

describe('ResponsesWire', () => {
  it('numbers the documents of a call where the server numbers its own, and those that follow', () => {
    const wire = new ResponsesWire();
    const called = wire.toCalls(CALLS, { sequence_number: 7 });
    expect(called.map((document) => document['sequence_number'])).toEqual([7, 8, 9, 10]);
    expect(wire.renumber({ sequence_number: 7 })).toEqual({ sequence_number: 11 });
  });

  it('adds no number where the server has none', () => {
    for (const document of new ResponsesWire().toCalls(CALLS, {}))
      expect(document).not.toHaveProperty('sequence_number');
  });
});
