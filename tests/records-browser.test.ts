import { testRecords } from "./dashboard/records.ts";
import { dashboardSite } from "./dashboard/site.ts";
import { describeInBrowser } from "./support/browser.ts";
import { withSharedService } from "./support/with-service.ts";

describeInBrowser("records in a browser", (browser) => testRecords(dashboardSite(browser, withSharedService())));
