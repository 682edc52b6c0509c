// @vitest-environment happy-dom
import { render } from 'lit';
import { beforeEach, describe, expect, it, vi } from 'vitest';

const draw = (content: unknown): string => {
  const host = document.createElement('div');
  render(content, host);
  return host.textContent.replace(/\s+/g, ' ').trim();
};

describe('renderLater', () => {
  beforeEach(() => vi.resetModules());

  it('draws nothing before the chunk is loaded, then the requested part', async () => {
    const { loadLaterParts, renderLater } = await import('../../../webview/later');
    expect(draw(renderLater(() => 'drawn'))).toBe('');
    await loadLaterParts();
    expect(draw(renderLater(({ renderRunTab }) => typeof renderRunTab))).toBe('function');
    expect(customElements.get('pg-rescue-trace')).toBeDefined();
  });

  it('reports that the chunk cannot be loaded', async () => {
    const { loadLaterParts, renderLater } = await import('../../../webview/later');
    await loadLaterParts(() => Promise.reject(new TypeError('Failed to fetch')));
    expect(draw(renderLater(() => 'drawn'))).toMatch(
      /could not be loaded\..* Close the panel and open it again\./,
    );
  });
});
