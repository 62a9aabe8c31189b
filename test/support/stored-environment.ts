export { storedEnvironment } from '../../src/http/environment.rules';
