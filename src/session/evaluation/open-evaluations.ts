// The evaluation of a playground that is shown, and the one that it is compared with. Opens, closes and removes stored ones.
import { t } from '@vscode/l10n';
import type { Clock } from '../ports';
import { refuse } from '../refusal';
import type { Baseline } from './evaluation-book';
import { EvaluationBook } from './evaluation-book';
import type { EvaluationHead } from './evaluation-head';
import type { EvaluationStore } from './evaluation-store';
import type { EvaluationSetting } from './setting';

export class OpenEvaluations {
  readonly #store: EvaluationStore;
  readonly #clock: Pick<Clock, 'now'>;
  #book: EvaluationBook | undefined;
  #baseline: Baseline | undefined;

  constructor(store: EvaluationStore, clock: Pick<Clock, 'now'>) {
    this.#store = store;
    this.#clock = clock;
  }

  /** The one that is shown. */
  get book(): EvaluationBook | undefined {
    return this.#book;
  }

  get baseline(): Baseline | undefined {
    return this.#baseline;
  }

  /** Opens the newest one if none is shown. */
  async openNewest(): Promise<void> {
    this.#book ??= await this.#open(this.#store.heads[0]);
  }

  async #open(head: EvaluationHead | undefined): Promise<EvaluationBook | undefined> {
    return head && EvaluationBook.open(head, await this.#store.open(head.id));
  }

  setBook(book: EvaluationBook): void {
    if (this.#book !== book) void this.#book?.close();
    this.#book = book;
  }

  async newBook(): Promise<EvaluationBook> {
    const [id, startedAt] = [crypto.randomUUID(), this.#clock.now()];
    const head = { id, startedAt, passed: 0, planned: 0, durationMs: 0, isEnded: false, more: {} };
    return EvaluationBook.open(head, await this.#store.open(id));
  }

  /** @param id By default the newest. @throws RefusalError */
  async bookOf(id: string | undefined): Promise<EvaluationBook> {
    const { heads } = this.#store;
    const head = id === undefined ? heads[0] : heads.find((each) => each.id === id);
    if (head && head.id === this.#book?.head.id) return this.#book;
    const book = await this.#open(head);
    if (book) return book;
    throw refuse(t('The evaluation is no longer stored.'), t('Choose another one.'));
  }

  /** @param id Without one, the shown one is compared with none. @throws RefusalError */
  async setBaseline(id: string | undefined, setting: EvaluationSetting | undefined): Promise<void> {
    this.#baseline = id === undefined ? undefined : await this.#readBaseline(id, setting);
  }

  /** Otherwise what is expected now would look as if it had been fixed or broken. */
  async judgeBaseline(setting: EvaluationSetting): Promise<void> {
    await this.setBaseline(this.#baseline?.head.id, setting).catch(() =>
      this.setBaseline(undefined, setting),
    );
  }

  async #readBaseline(id: string, setting: EvaluationSetting | undefined): Promise<Baseline> {
    const book = await this.bookOf(id);
    if (setting) await book.judge(setting, { referenceId: undefined, baseline: undefined });
    const samples = [...book.judged()];
    if (book !== this.#book) await book.close();
    return { head: book.head, samples };
  }

  /** Shows the newest of those that are left if it was the shown one. */
  async remove(ids: readonly string[]): Promise<void> {
    if (this.#book && ids.includes(this.#book.head.id)) {
      await this.#book.close();
      this.#book = undefined;
    }
    if (this.#baseline && ids.includes(this.#baseline.head.id)) this.#baseline = undefined;
    await this.#store.remove(ids);
    await this.openNewest();
  }
}
