import { describe, expect, it } from 'vitest';
import {
  fieldEdit,
  fieldKey,
  fieldText,
  laneFieldProblem,
  parseField,
} from '../../../../webview/lanes/lane-fields';
import { toPanel } from '../samples';

const LANES = { a: {}, '__proto__ b': { settings: { sampling: { temperature: 0.5 }, model: 'm' } } };
const ID = '__proto__ b';

describe('fieldEdit', () => {
  it('finds a field by the id of its lane, with any characters', () => {
    const state = toPanel(LANES);
    expect(fieldEdit(state, fieldKey('sampling.temperature', ID), 1)).toEqual({
      path: ['lanes', 1, 'sampling', 'temperature'],
      value: 1,
    });
    expect(fieldEdit(state, fieldKey('limits.maxSteps', 'a'), 3)?.path).toEqual([
      'lanes',
      0,
      'limits',
      'maxSteps',
    ]);
    expect(fieldEdit(state, fieldKey('lane.raw', 'a'), {})?.path).toEqual(['lanes', 0, 'raw']);
    expect(fieldEdit(state, 'system', 'x')).toEqual({ path: ['system'], value: 'x' });
  });

  it('removes a key without a value', () => {
    expect(fieldEdit(toPanel(LANES), fieldKey('sampling.seed', 'a'), undefined)).toEqual({
      path: ['lanes', 0, 'sampling', 'seed'],
    });
  });

  it('is undefined for an unknown lane or field', () => {
    const state = toPanel(LANES);
    expect(fieldEdit(state, fieldKey('sampling.seed', 'gone'), 1)).toBeUndefined();
    expect(fieldEdit(state, fieldKey('sampling.constructor', 'a'), 1)).toBeUndefined();
  });

  it('writes the complete embedding with one text of it', () => {
    expect(fieldEdit(toPanel(LANES), 'embedding.texts.1', 'two')).toMatchObject({
      path: ['embedding'],
      value: {
        connection: 'demo',
        texts: ['Snow is falling in Oslo.', 'two', 'The invoice is due on Friday.'],
      },
    });
  });

  it('writes the other fields of the embedding as they are typed: their edits may still be on the way', () => {
    const fields = new Map([
      ['embedding.texts.0', 'one'],
      ['embedding.texts.2', 'x'.repeat(8001)],
      ['embedding.model', ' m '],
    ]);
    expect(fieldEdit(toPanel(LANES, { view: { fields } }), 'embedding.texts.1', 'two')?.value).toEqual({
      connection: 'demo',
      model: 'm',
      texts: ['one', 'two', 'The invoice is due on Friday.'],
    });
  });

  it('is undefined for a text that was removed elsewhere', () => {
    expect(fieldEdit(toPanel(LANES), 'embedding.texts.3', 'four')).toBeUndefined();
  });
});

describe('fieldText', () => {
  it('returns the typed text, otherwise the value in the document', () => {
    const key = fieldKey('sampling.temperature', ID);
    expect(fieldText(toPanel(LANES), key)).toBe('0.5');
    expect(fieldText(toPanel(LANES, { view: { fields: new Map([[key, '0.50']]) } }), key)).toBe('0.50');
    expect(fieldText(toPanel(LANES), fieldKey('sampling.seed', 'a'))).toBe('');
    expect(fieldText(toPanel(LANES), fieldKey('lane.model', ID))).toBe('m');
  });
});

describe('parseField', () => {
  it('accepts only fields of a lane', () => {
    expect(parseField(fieldKey('limits.maxSteps', 'a'), '3')).toEqual({ value: 3 });
    expect(parseField('system', '')).toEqual({ value: undefined });
    expect(parseField('nothing', 'x').problem).toBeDefined();
  });
});

describe('laneFieldProblem', () => {
  it('names the first invalid field of the lane', () => {
    const typed = new Map([
      [fieldKey('sampling.seed', 'a'), '7'],
      [fieldKey('sampling.numCtx', 'a'), 'big'],
      [fieldKey('lane.raw', 'b'), '['],
    ]);
    expect(laneFieldProblem(typed, 'a')).toBe('Context size must be a whole number.');
    expect(laneFieldProblem(typed, 'b')).toMatch(/^Raw keys must be valid JSON: .+\.$/);
    expect(laneFieldProblem(typed, 'c')).toBeUndefined();
  });

  it('refuses the name of a model that the document would not take', () => {
    const typed = (length: number) => new Map([[fieldKey('lane.model', 'a'), ` ${'m'.repeat(length)} `]]);
    expect(laneFieldProblem(typed(200), 'a')).toBeUndefined();
    expect(laneFieldProblem(typed(201), 'a')).toBe('Model must not be longer than 200 characters.');
  });
});
