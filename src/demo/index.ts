// The public interface of the demo back end: a loopback server of scripted models that speaks several protocols.
export { startDemoServer } from './demo-server';
export type { DemoServer, DemoServerOptions } from './demo-server';
export { DEMO_MODELS } from './scenarios';
