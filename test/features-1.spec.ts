import './features/account-token';
import './features/advertisement-fields';
import './features/api-key-auth';
import './features/api-key-list';
import './features/apply';
import './features/apply-refusals';
import './features/cohort-rewards';
import './features/errors';
import './features/idempotency';
import './features/image-survey-content';
import './features/list-cursor';
import './features/ownership';
import './features/question-history';
import './features/questions';
import './features/read';
import './features/survey';
import './features/unreadable-request';
import './features/versions';
import { closeSharedService } from './support/service';

// One half of the features, on one service: starting one takes longer than most of them.
afterAll(closeSharedService);
