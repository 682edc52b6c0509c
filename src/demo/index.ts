// The demo back end's public face: a loopback server of scripted models in both protocols.
export { startDemoServer } from './demo-server';
export type { DemoServer, DemoServerOptions } from './demo-server';
export { DEMO_MODELS } from './scenarios';
