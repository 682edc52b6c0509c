import { render } from 'lit';
import { describe, expect, it } from 'vitest';
import { icon } from '../../../webview/icons';

describe('icon', () => {
  it('renders the paths of the file, hidden from screen readers', () => {
    const place = document.createElement('div');
    render(icon('rescued', 'spin'), place);
    const drawn = place.querySelector('svg');
    expect(drawn?.getAttribute('aria-hidden')).toBe('true');
    expect(drawn?.querySelector('path')?.getAttribute('d')).toMatch(/^M9 8C/);
  });
});
