import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { LongText } from '../../../../../webview/components/controls/long-text';
import { registerOnce } from '../../register-once';

beforeAll(registerOnce);
beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

async function draw(text: string, change: Partial<LongText> = {}): Promise<LongText> {
  const element = Object.assign(new LongText(), { text, ...change });
  document.body.replaceChildren(element);
  await element.updateComplete;
  return element;
}
async function showAll(element: LongText): Promise<void> {
  element.querySelector('button')?.click();
  for (let turn = 0; turn < 100; turn++) {
    await vi.runAllTimersAsync();
    await element.updateComplete;
  }
}

describe('LongText', () => {
  it('shows a short text completely', async () => {
    const element = await draw('a\n<b>');
    expect(element.textContent).toBe('a\n<b>');
    expect(element.querySelector('button')).toBeNull();
  });

  it('truncates a long text, says how much is missing, and shows all of it on demand', async () => {
    const element = await draw('x'.repeat(20_012));
    expect(element.textContent.replace(/\s+/g, ' ')).toContain('… 12 more characters Show all');
    await showAll(element);
    expect(element.textContent).toBe('x'.repeat(20_012));
  });

  it('makes hidden characters visible', async () => {
    const element = await draw('a\u202eb\n');
    expect(element.querySelector('.mark-char')?.textContent).toBe('U+202E');
    expect(element.textContent).toBe('aU+202Eb\n');
  });

  it.each(['😀', '👩‍👧', 'क्‍ष', '\r\n'])('does not split %j between two pieces', async (character) => {
    for (let before = 1; before < character.length; before++) {
      const text = `${'x'.repeat(20_000 - before)}${character}y`;
      const element = await draw(text);
      await showAll(element);
      expect(element.textContent).toBe(text);
      expect(element.querySelector('.mark-char')).toBeNull();
    }
  });

  it('draws the rest in pieces; each that ends with a line is a block', async () => {
    const text = 'a line of some length\n'.repeat(20_000);
    const element = await draw(text);
    element.querySelector('button')?.click();
    await element.updateComplete;
    expect(element.textContent.length).toBeLessThan(text.length / 5);
    await showAll(element);
    expect(element.textContent).toBe(text);
    expect(element.querySelectorAll('.piece').length).toBeGreaterThan(20);
  });

  it('requests the part that the panel does not have, once', async () => {
    let reads = 0;
    const read = () => Promise.resolve(`${'x'.repeat(10 * ++reads)} the end`);
    const element = await draw('xxx', { length: 18, read });
    expect(element.textContent).toContain('15 more characters');
    await showAll(element);
    expect(element.textContent).toBe('xxxxxxxxxx the end');
    expect(reads).toBe(1);
  });

  it('keeps the button when the text could not be read', async () => {
    const element = await draw('xxx', { length: 18, read: () => Promise.resolve(undefined) });
    await showAll(element);
    expect(element.querySelector('button')).not.toBeNull();
  });

  it('says how much is missing without a button if the rest cannot be read', async () => {
    const element = await draw('xxx', { length: 18 });
    expect(element.textContent.replace(/\s+/g, ' ')).toContain('… 15 more characters that are not shown');
    expect(element.querySelector('button')).toBeNull();
  });

  it('requests truncated JSON of unknown length', async () => {
    const whole = JSON.stringify({ body: `${'x'.repeat(30_000)} the end` });
    const element = await draw('{"body":"x"}', {
      isJson: true,
      isPart: true,
      read: () => Promise.resolve(whole),
    });
    expect(element.textContent).toContain('… and more');
    await showAll(element);
    expect(element.textContent).toBe(whole);
  });

  it('draws at most 200 000 characters of coloured JSON', async () => {
    const element = await draw(`"${'x'.repeat(200_001)}"`, { isJson: true });
    await showAll(element);
    expect(element.textContent).toContain('that are not shown');
    expect(element.querySelector('button')).toBeNull();
  });
});
