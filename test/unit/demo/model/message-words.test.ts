import { describe, expect, test } from 'vitest';
import { wordFor } from '../../../../src/demo/model/message-words';

describe('wordFor', () => {
  test.each([
    ['city', 'What is the weather in Oslo?', 'Oslo'],
    ['city', 'weather in são paulo', 'São'],
    ['city', 'How is it in San Francisco today?', 'San Francisco'],
    ['City', 'Forecast for Zürich', 'Zürich'],
    ['city', 'weather', 'Oslo'],
    ['from', 'I want to fly from Oslo to Bergen', 'Oslo'],
    ['to', 'I want to fly from Oslo to Bergen', 'Bergen'],
    ['to', 'i want to fly from oslo to bergen', 'Bergen'],
    ['date', 'on 2026-03-01 please', '2026-03-01'],
    ['date', 'a flight tomorrow', 'tomorrow'],
    ['date', 'a flight', 'today'],
    ['query', 'Please find Ada Lovelace', 'Ada Lovelace'],
    ['query', 'show the invoices', 'invoices'],
    ['query', '', 'example'],
  ])('finds the %s in "%s": %s', (name, message, word) => {
    expect(wordFor(name, message)).toBe(word);
  });
});
