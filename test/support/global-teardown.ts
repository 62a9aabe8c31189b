import { dropTemplate } from './databases';

export default dropTemplate;
