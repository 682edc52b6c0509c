// Lazily loaded chunk with the custom providers. Bundled separately, because it loads their modules through a real
// `import()`.
export { openCustomConnections } from './editor-environment';
export { evaluateModule } from '../../connections';
