import 'reflect-metadata';
import { createTemplate } from './databases';

export default createTemplate;
