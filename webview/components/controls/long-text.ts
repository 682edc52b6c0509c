// Draws a text of any length: its beginning at once, the rest on demand in pieces, so that no piece blocks the
// page for long. A text that the panel has only in part is read from the host when all of it is wanted. Text nodes
// only.
import { t } from '@vscode/l10n';
import { html, nothing } from 'lit';
import type { TemplateResult } from 'lit';
import { countOf, toCharacterStart } from '../../text/format';
import { jsonText } from './json-text';
import { renderMarked } from './marked-text';
import { PanelElement } from './panel-element';

const PIECE = 20_000;
/** In characters. Coloured JSON takes many nodes per line, so it has a limit. */
const MAX_JSON = 200_000;

/** @returns The whole text, or undefined when it cannot be read. */
export type ReadText = () => Promise<string | undefined>;

export class LongText extends PanelElement {
  static override properties = {
    text: {},
    length: { attribute: false },
    read: { attribute: false, hasChanged: () => false },
    isJson: { type: Boolean },
    isPart: { type: Boolean },
    shown: { state: true },
    whole: { state: true },
  };
  declare text: string;
  /** Length of the whole text where the panel has only its beginning, in characters. */
  declare length: number | undefined;
  declare read: ReadText | undefined;
  declare isJson: boolean;
  /** Whether texts within the text are cut, so that its whole length is not known. */
  declare isPart: boolean;
  declare shown: number;
  declare whole: string | undefined;
  /** Pieces drawn so far; they never change, so each is built once. */
  #pieces: { end: number; drawn: TemplateResult }[] = [];

  constructor() {
    super();
    this.text = '';
    this.isJson = false;
    this.isPart = false;
    this.shown = 1;
  }

  override willUpdate(changed: ReadonlyMap<PropertyKey, unknown>): void {
    if (!changed.has('text') && !changed.has('whole')) return;
    if (changed.has('text')) {
      this.shown = 1;
      this.whole = undefined;
    }
    this.#pieces = [];
  }

  override render(): TemplateResult {
    const text = this.whole ?? this.text;
    if (this.isJson) {
      const end = toCharacterStart(text, Math.min(text.length, this.shown * PIECE));
      return html`${jsonText(text.slice(0, end))}${this.#renderRest(end)}`;
    }
    while (this.#pieces.length < this.shown) this.#pieces.push(toPiece(text, this.#pieces.at(-1)?.end ?? 0));
    const pieces = this.#pieces.slice(0, this.shown);
    return html`${pieces.map(({ drawn }) => drawn)}${this.#renderRest(pieces.at(-1)?.end ?? 0)}`;
  }

  #renderRest(end: number): unknown {
    const text = this.whole ?? this.text;
    const missing = (this.whole?.length ?? Math.max(this.length ?? 0, this.text.length)) - end;
    if (missing <= 0 && !this.#isUnread) return nothing;
    return html`<span class="rest">${this.#renderMissing(missing, end < text.length)}</span>`;
  }

  #renderMissing(missing: number, isHere: boolean): unknown {
    if (this.isJson && this.shown * PIECE >= MAX_JSON && !this.#isUnread)
      return countOf(
        missing,
        t('… {0} more character that is not shown; a copy has it'),
        t('… {0} more characters that are not shown; a copy has them all'),
      );
    if (!isHere && !this.#isUnread)
      return countOf(
        missing,
        t('… {0} more character that is not shown'),
        t('… {0} more characters that are not shown'),
      );
    const words = this.isPart && this.#isUnread;
    return html`${words ? t('… and more') : countOf(missing, t('… {0} more character'), t('… {0} more characters'))}
      <button class="link" type="button" @click=${() => void this.#showAll()}>${t('Show all')}</button>`;
  }

  /** Whether there is more to read from the host. */
  get #isUnread(): boolean {
    const isCut = this.isPart || (this.length ?? 0) > this.text.length;
    return isCut && this.whole === undefined && this.read !== undefined;
  }

  async #showAll(): Promise<void> {
    if (this.#isUnread) {
      const shownOf = this.text;
      const whole = await this.read?.();
      if (whole !== undefined && shownOf === this.text) this.whole = whole;
    }
    this.#showMore();
  }

  #showMore(): void {
    const { length } = this.whole ?? this.text;
    const most = this.isJson ? Math.min(length, MAX_JSON) : length;
    const end = this.isJson ? this.shown * PIECE : (this.#pieces.at(-1)?.end ?? 0);
    if (!this.isConnected || end >= most) return;
    this.shown++;
    setTimeout(() => this.#showMore());
  }
}

/**
 * Cuts the next piece, at a line end if possible: each piece is a block of its own, laid out only when it scrolls
 * into view.
 */
function toPiece(text: string, start: number): { end: number; drawn: TemplateResult } {
  const most = start + PIECE;
  if (start === 0 && text.length <= most) return { end: text.length, drawn: html`${renderMarked(text)}` };
  const lineEnd = text.lastIndexOf('\n', most - 1) + 1;
  const end =
    text.length <= most ? text.length : lineEnd > start + PIECE / 2 ? lineEnd : toCharacterStart(text, most);
  const part = renderMarked(text, start, end);
  return {
    end,
    drawn: text.charAt(end - 1) === '\n' ? html`<span class="piece">${part}</span>` : html`${part}`,
  };
}
