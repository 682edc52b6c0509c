// The lazily loaded part with other people's providers. Built by itself, since it runs their modules by a real `import()`.
export { openCustomConnections } from './editor-environment';
export { evaluateModule } from './evaluate-module';
