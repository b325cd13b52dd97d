import { testExplore } from "./dashboard/explore.ts";
import { dashboardSite } from "./dashboard/site.ts";
import { describeInBrowser } from "./support/browser.ts";

describeInBrowser("Explore in a browser", (browser) => testExplore(dashboardSite(browser)));
