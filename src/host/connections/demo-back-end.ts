// The demo server of this window: started when it is first needed, stopped with the extension. Independent of vscode.
import type { DemoServer } from '../../demo';
import { Lazy } from '../lazy';
import { loadEngine } from '../load-engine';

export class DemoBackEnd {
  readonly #server = new Lazy<DemoServer>(async () => (await loadEngine()).startDemoServer());

  /** @returns the base address of one of its two protocols. */
  async host(side: 'local' | 'hosted'): Promise<string> {
    const { localHost, hostedHost } = await this.#server.get();
    return side === 'local' ? localHost : hostedHost;
  }

  async stop(): Promise<void> {
    await (await this.#server.loaded())?.close();
  }
}
