// Uses the panel like a person, by its accessible names, wherever it is open.
import type { Locator, Page } from 'playwright-core';

/** The document of the panel: a page of its own, or a frame in VS Code. */
export type PanelDocument = Pick<Page, 'getByRole' | 'getByText' | 'getByLabel' | 'locator'>;

export class Panel {
  readonly frame: PanelDocument;

  constructor(frame: PanelDocument) {
    this.frame = frame;
  }

  get message(): Locator {
    return this.frame.getByRole('textbox', { name: 'Message', exact: true });
  }

  get inspector(): Locator {
    return this.frame.getByRole('region', { name: 'Inspector' });
  }

  button(name: string, where: PanelDocument = this.frame): Locator {
    return where.getByRole('button', { name, exact: true });
  }

  /** @param number Counted from 1, from the left. */
  lane(number = 1): Locator {
    return this.frame.getByRole('region', { name: `Lane ${number}`, exact: true });
  }

  async says(where: Locator, text: string | RegExp): Promise<void> {
    await where.getByText(text).first().waitFor();
  }

  async openTab(name: string): Promise<void> {
    await this.inspector.getByRole('tab', { name }).click();
  }

  /** Opens the settings of a lane, does the work, and closes them. */
  async inSettings(work: () => Promise<void>, number = 1): Promise<void> {
    const toggle = this.button('Lane settings', this.lane(number));
    await toggle.click();
    await work();
    await toggle.click();
  }

  async chooseConnection(name: string, number = 1): Promise<void> {
    await this.lane(number).getByRole('combobox', { name: 'Connection' }).click();
    await this.frame.getByRole('option', { name }).first().click();
  }

  async chooseModel(model: string, number = 1): Promise<void> {
    const box = this.lane(number).getByRole('combobox', { name: 'Model' });
    await box.fill(model);
    await box.press('Tab');
  }

  /** Chooses a model, including opening and closing the settings. */
  async useModel(model: string, number = 1): Promise<void> {
    await this.inSettings(() => this.chooseModel(model, number), number);
  }

  /** Chooses an item from the menu of a lane. */
  async inMenu(item: string, number = 1): Promise<void> {
    await this.button('More actions', this.lane(number)).click();
    await this.frame.getByRole('menuitem', { name: item }).first().click();
  }

  async ask(message: string): Promise<void> {
    await this.message.fill(message);
    await this.button('Run').click();
  }

  /** Accessible name of the focused element. */
  focused(): Promise<string> {
    return this.frame
      .locator('*:focus')
      .last()
      .evaluate((element) => element.getAttribute('aria-label') ?? element.tagName);
  }
}
