// Stands in for @vscode/spdlog, a native module that would have to be compiled: same interface, plain JavaScript.
// setup.mjs copies it over the server's own index.js.
const fs = require('node:fs');
const path = require('node:path');

const names = ['trace', 'debug', 'info', 'warning', 'error', 'critical', 'off'];
let defaultLevel = names.indexOf('info');

const two = (n, width = 2) => String(n).padStart(width, '0');

function stamp(date) {
  return (
    `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())} ` +
    `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}.${two(date.getMilliseconds(), 3)}`
  );
}

class Logger {
  constructor(_type, name, file, maxSize = 0, maxFiles = 1) {
    Object.assign(this, { name, file, maxSize, maxFiles, level: defaultLevel, plain: false });
    fs.mkdirSync(path.dirname(file), { recursive: true });
    this.open('a');
  }
  open(flags) {
    this.fd = fs.openSync(this.file, flags);
    this.size = fs.fstatSync(this.fd).size;
  }
  write(level, message) {
    if (level < this.level || this.fd === undefined) return;
    this.size += fs.writeSync(
      this.fd,
      this.plain ? String(message) : `${stamp(new Date())} [${names[level]}] ${message}\n`,
    );
    if (this.maxSize && this.size > this.maxSize) this.rotate();
  }
  /** x.log becomes x.1.log, x.1.log becomes x.2.log, and so on */
  rotate() {
    fs.closeSync(this.fd);
    const { dir, name, ext } = path.parse(this.file);
    const nth = (i) => (i ? path.join(dir, `${name}.${i}${ext}`) : this.file);
    for (let i = this.maxFiles - 1; i > 0; i--)
      if (fs.existsSync(nth(i - 1))) fs.renameSync(nth(i - 1), nth(i));
    this.open('w');
  }
  trace(message) {
    this.write(0, message);
  }
  debug(message) {
    this.write(1, message);
  }
  info(message) {
    this.write(2, message);
  }
  warn(message) {
    this.write(3, message);
  }
  error(message) {
    this.write(4, message);
  }
  critical(message) {
    this.write(5, message);
  }
  getLevel() {
    return this.level;
  }
  setLevel(level) {
    this.level = level;
  }
  clearFormatters() {
    this.plain = true;
  }
  setPattern() {}
  flush() {}
  drop() {
    if (this.fd !== undefined) fs.closeSync(this.fd);
    this.fd = undefined;
  }
}

exports.version = 0;
exports.Logger = Logger;
exports.setLevel = (level) => {
  defaultLevel = level;
};
exports.setFlushOn = () => {};
exports.createRotatingLogger = async (...args) => new Logger('rotating', ...args);
exports.createAsyncRotatingLogger = async (...args) => new Logger('rotating_async', ...args);
