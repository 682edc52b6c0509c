// Asks for rendered prompts, one at a time, only when a person wants one. Does not touch the DOM.
import type { PromptPlace, PromptView } from '../../src/protocol';
import { toErrorInfo } from '../panel-errors';
import type { PromptState } from '../state/panel-state';
import type { PanelPort } from './panel-port';
import type { TypedTexts } from './typed-texts';

/** What it needs of the controller. */
export interface PromptPort extends PanelPort {
  readonly fields: Pick<TypedTexts, 'flush'>;
}

export class PromptAsker {
  readonly #playground: PromptPort;
  readonly #request: (place: PromptPlace, signal: AbortSignal) => Promise<PromptView>;
  #controller: AbortController | undefined;

  constructor(
    playground: PromptPort,
    request: (place: PromptPlace, signal: AbortSignal) => Promise<PromptView>,
  ) {
    this.#playground = playground;
    this.#request = request;
  }

  async ask(place: PromptPlace): Promise<void> {
    this.cancel();
    const controller = new AbortController();
    this.#controller = controller;
    this.#set({ place });
    // The text that is being typed is part of what would be sent.
    await this.#playground.fields.flush();
    const answer = await this.#request(place, controller.signal).then(
      (view) => ({ view }),
      (error: unknown) => ({ error: toErrorInfo(error) }),
    );
    if (!controller.signal.aborted) this.#set({ place, ...answer });
  }

  cancel(): void {
    this.#controller?.abort();
    this.#set(undefined);
  }

  #set(prompt: PromptState | undefined): void {
    this.#playground.update((state) => ({ ...state, prompt }));
  }
}
