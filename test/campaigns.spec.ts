import { runFolders } from './support/suite';

runFolders(['campaigns', 'questions', 'rewards', 'documents', 'results', 'preview', 'forecast']);
