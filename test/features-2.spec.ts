import './features/advertisement';
import './features/api-key';
import './features/api-key-life';
import './features/api-key-rotation';
import './features/apply-dry-run';
import './features/apply-together';
import './features/company';
import './features/history';
import './features/image-survey';
import './features/list';
import './features/money';
import './features/preview';
import './features/question-rules';
import './features/race';
import './features/storable-input';
import './features/toggle-live';
import './features/update';
import { closeSharedService } from './support/service';

// One half of the features, on one service: starting one takes longer than most of them.
afterAll(closeSharedService);
