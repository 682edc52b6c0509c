import { beforeAll, describe, expect, it } from 'vitest';
import { LongText } from '../../../../webview/components/long-text';

beforeAll(() => customElements.define('test-long-text', LongText));

async function draw(text: string): Promise<LongText> {
  const element = new LongText();
  element.text = text;
  document.body.replaceChildren(element);
  await element.updateComplete;
  return element;
}

describe('LongText', () => {
  it('draws a short text as it is', async () => {
    const element = await draw('a\n<b>');
    expect(element.textContent).toBe('a\n<b>');
    expect(element.querySelector('button')).toBeNull();
  });

  it('cuts a long text and says how much is missing', async () => {
    const element = await draw('x'.repeat(20_012));
    expect(element.textContent.replace(/\s+/g, ' ')).toContain('… 12 more characters Show more');
    element.querySelector('button')?.click();
    await element.updateComplete;
    expect(element.textContent).toBe('x'.repeat(20_012));
  });

  it('never draws more than 200 000 characters', async () => {
    const element = await draw('x'.repeat(200_001));
    element.querySelector('button')?.click();
    await element.updateComplete;
    expect(element.textContent).toContain('1 more character');
    expect(element.querySelector('button')).toBeNull();
  });
});
